#include "client/http/rest_client.h"

#include <chrono>
#include <future>
#include <utility>

#include "base/async.h"
#include "client/http/await_credentials.h"
#include "client/http/connections.h"
#include "client/http/cpprest_connection.h"
#include "client/http/endpoint.h"
#include "client/http/io_thread.h"
#include "client/http/peer.h"
#include "client/http/request_limiter.h"
#include "client/http/request_span.h"
#include "client/http/stream.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

// The error of streams whose connections are replaced.
constexpr const char* kRenewed = "the client's credentials or the certificate authorities have changed";

using Done = std::function<void(Reply)>;

Done Observed(RequestObserver& observer, const Request& request, Done done) {
  return [&observer, method = request.method, sent = request.body.size(), began = std::chrono::steady_clock::now(),
          done = std::move(done)](Reply reply) {
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
    observer.OnReply(method, reply.status, took.count(), sent, reply.body.size());
    done(std::move(reply));
  };
}

Done Traced(RequestSpan span, Done done) {
  return [span = std::move(span), done = std::move(done)](Reply reply) mutable {
    span.End(reply);
    done(std::move(reply));
  };
}

// Reports the status as soon as it arrives, because a watch lasts for minutes.
class ObservedSink final : public BodySink {
 public:
  ObservedSink(BodySink& sink, RequestObserver& observer, const std::string& method)
      : sink_(sink), observer_(observer), method_(method) {}
  void OnHead(const ReplyHead& head) override {
    Report(head.status);
    sink_.OnHead(head);
  }
  bool OnBytes(std::string_view bytes) override { return sink_.OnBytes(bytes); }
  void Ended(int status) { Report(status); }

 private:
  void Report(int status) {
    if (!std::exchange(reported_, true)) observer_.OnStream(method_, status);
  }

  BodySink& sink_;
  RequestObserver& observer_;
  const std::string& method_;
  bool reported_ = false;
};

class HttpClient final : public RestClient {
 public:
  HttpClient(const std::shared_ptr<Peer>& peer, const Instruments& instruments)
      : observer_(instruments.observer),
        tracer_(instruments.tracer),
        peer_(peer),
        connections_(std::make_shared<CurrentConnections>(peer)),
        sends_(std::make_shared<RequestLimiter>(peer, connections_)) {}
  ~HttpClient() override { sends_->Close(); }

  void Send(Request request, std::function<void(Reply)> done) override {
    if (observer_ != nullptr) done = Observed(*observer_, request, std::move(done));
    if (auto span = SpanOf(request)) done = Traced(std::move(*span), std::move(done));
    sends_->Send(std::move(request), std::move(done));
  }

  void Close() override { sends_->Close(); }

  Reply Stream(const Request& request, BodySink& sink, const std::stop_token& stop) override;
  void OpenStream(Request request, BodySink& sink, std::stop_token stop, std::function<void(Reply)> done) override;
  base::Result<void> Renew(ClientOptions options) override;

 private:
  std::optional<RequestSpan> SpanOf(Request& request) const {
    return tracer_ == nullptr ? std::nullopt : RequestSpan::Begin(*tracer_, peer_->server, request);
  }
  base::Async<Reply> StreamTraced(Request request, BodySink& sink, std::stop_token stop);
  base::Async<Reply> StreamUntraced(const Request& request, BodySink& sink, std::stop_token stop);
  base::Async<Reply> StreamUnobserved(const Request& request, BodySink& sink, std::stop_token stop);
  base::Async<void> Deliver(Request request, BodySink& sink, std::stop_token stop, std::function<void(Reply)> done);

  RequestObserver* const observer_;
  trace::Tracer* const tracer_;
  const std::shared_ptr<Peer> peer_;  // the first call that sets it
  const std::shared_ptr<CurrentConnections> connections_;
  const std::shared_ptr<RequestLimiter> sends_;
};

base::Result<void> CheckLimits(const ClientOptions& options) {
  if (options.timeout.count() <= 0) return base::Fail("timeout must be positive");
  if (options.idle_timeout.count() <= 0) return base::Fail("idle_timeout must be positive");
  if (options.max_parallel_sends == 0) return base::Fail("max_parallel_sends must be positive");
  return {};
}

base::Result<std::optional<Endpoint>> ProxyOf(const ClientOptions& options, const Endpoint& server) {
  if (options.proxy_url.empty()) return std::nullopt;
  auto proxy = ParseEndpoint(options.proxy_url, UrlKind::kProxy);
  if (!proxy) return tl::unexpected(proxy.error());
  if (server.is_ipv6) return base::Fail("server " + server.Url() + ": an IPv6 address behind a proxy is not supported");
  return std::move(*proxy);
}

// The options may own what ends slowly, such as a credential command.
void Discard(Peer* peer) {
  RunOffIoThread([owned = std::shared_ptr<Peer>(peer)]() mutable { owned.reset(); });
}

base::Result<std::shared_ptr<Peer>> MakePeer(ClientOptions options, std::shared_ptr<Gate> gate) {
  auto server = ParseEndpoint(options.url, UrlKind::kServer);
  if (!server) return tl::unexpected(server.error());
  auto proxy = ProxyOf(options, *server);
  if (!proxy) return tl::unexpected(proxy.error());
  if (auto limits = CheckLimits(options); !limits) return tl::unexpected(limits.error());
  std::shared_ptr<x509_store_st> trust;
  if (server->https && !options.tls.insecure) {
    auto loaded = LoadTrust(options.tls);
    if (!loaded) return tl::unexpected(loaded.error());
    trust = std::move(*loaded);
  }
  const std::shared_ptr<Peer> peer(
      new Peer(std::move(options), std::move(*server), std::move(*proxy), std::move(trust), std::move(gate)), Discard);
  CheckUrls(*peer);
  return peer;
}

// what() of cpprestsdk's exceptions contains URLs with passwords.
tl::unexpected<base::Error> RefusedUrl() { return base::Fail("cpprestsdk refuses the URL of the server or the proxy"); }

Reply HttpClient::Stream(const Request& request, BodySink& sink, const std::stop_token& stop) {
  const auto promise = std::make_shared<std::promise<Reply>>();  // set_value may still be busy when get returns
  auto future = promise->get_future();
  OpenStream(request, sink, stop, [promise](Reply reply) { promise->set_value(std::move(reply)); });
  return future.get();
}

void HttpClient::OpenStream(Request request, BodySink& sink, std::stop_token stop, std::function<void(Reply)> done) {
  PostToIo([this, request = std::move(request), &sink, stop = std::move(stop), done = std::move(done)]() mutable {
    base::Start(Deliver(std::move(request), sink, std::move(stop), std::move(done)));
  });
}

// done is the last action: this object may be destroyed during it.
base::Async<void> HttpClient::Deliver(Request request, BodySink& sink, std::stop_token stop,
                                      std::function<void(Reply)> done) {
  Reply reply = co_await StreamTraced(std::move(request), sink, std::move(stop));
  done(std::move(reply));
}

base::Async<Reply> HttpClient::StreamTraced(Request request, BodySink& sink, std::stop_token stop) {
  std::optional<RequestSpan> span = SpanOf(request);
  Reply reply = co_await StreamUntraced(request, sink, std::move(stop));
  if (span) span->End(reply);
  co_return reply;
}

base::Async<Reply> HttpClient::StreamUntraced(const Request& request, BodySink& sink, std::stop_token stop) {
  if (observer_ == nullptr) co_return co_await StreamUnobserved(request, sink, std::move(stop));
  ObservedSink observed(sink, *observer_, request.method);
  Reply reply = co_await StreamUnobserved(request, observed, std::move(stop));
  observed.Ended(reply.status);
  co_return reply;
}

base::Async<Reply> HttpClient::StreamUnobserved(const Request& request, BodySink& sink, std::stop_token stop) {
  const std::string prefix = ErrorPrefix(*peer_, request.method, request.path);
  const auto connections = co_await AwaitCredentials(*connections_, stop);
  if (!connections) co_return Reply{.error = prefix + "context canceled"};
  const auto receiver = std::make_shared<StreamReceiver>(sink, peer_->options.max_body_bytes, prefix);
  const base::OnStop on_change(connections->changed.get_token(), [receiver] { receiver->Break(kRenewed); });
  const Connection::Cancel cancel = connections->streams->Start(request, receiver);
  co_await base::Bell::Rung(receiver->over(), PostToIo, std::move(stop));
  Reply reply = receiver->Take();
  cancel();  // no effect on an ended request
  if (reply.status == 401) sends_->Refused(*connections);
  co_return reply;
}

base::Result<void> HttpClient::Renew(ClientOptions options) {
  if (options.url != peer_->options.url) {
    return base::Fail("the configuration names another server, " + options.url + ", which needs a restart");
  }
  try {
    auto peer = MakePeer(std::move(options), peer_->gate);
    if (!peer) return tl::unexpected(peer.error());
    if (auto usable = CheckIdentity(**peer); !usable) return usable;
    connections_->Renew(*peer);
  } catch (const std::exception&) {
    return RefusedUrl();
  }
  sends_->AskAgain();
  return {};
}

}  // namespace

base::Result<std::unique_ptr<RestClient>> MakeRestClient(ClientOptions options, const Instruments& instruments) {
  try {
    auto peer = MakePeer(std::move(options), std::make_shared<Gate>());
    if (!peer) return tl::unexpected(peer.error());
    return std::make_unique<HttpClient>(*peer, instruments);
  } catch (const std::exception&) {
    return RefusedUrl();
  }
}

}  // namespace berth::http
