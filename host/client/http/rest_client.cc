#include "client/http/rest_client.h"

#include <utility>

#include "client/http/await_credentials.h"
#include "client/http/connections.h"
#include "client/http/endpoint.h"
#include "client/http/peer.h"
#include "client/http/request_limiter.h"
#include "client/http/stream.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

// The error of streams whose connections are replaced.
constexpr const char* kRenewed = "the client's credentials or the certificate authorities have changed";

class CpprestClient final : public RestClient {
 public:
  explicit CpprestClient(const std::shared_ptr<Peer>& peer)
      : peer_(peer),
        connections_(std::make_shared<CurrentConnections>(peer)),
        sends_(std::make_shared<RequestLimiter>(peer, connections_)) {}
  ~CpprestClient() override { sends_->Close(); }

  void Send(Request request, std::function<void(Reply)> done) override {
    sends_->Send(std::move(request), std::move(done));
  }

  void Close() override { sends_->Close(); }

  Reply Stream(const Request& request, BodySink& sink, const std::stop_token& stop) override;
  base::Result<void> Renew(ClientOptions options) override;

 private:
  const std::shared_ptr<Peer> peer_;  // the first
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
  return std::make_shared<Peer>(std::move(options), std::move(*server), std::move(*proxy), std::move(trust),
                                std::move(gate));
}

// what() of cpprestsdk's exceptions contains URLs with passwords.
tl::unexpected<base::Error> RefusedUrl() { return base::Fail("cpprestsdk refuses the URL of the server or the proxy"); }

Reply CpprestClient::Stream(const Request& request, BodySink& sink, const std::stop_token& stop) {
  const std::string prefix = ErrorPrefix(*peer_, request.method, request.path);
  const auto connections = AwaitCredentials(*connections_, stop);
  if (!connections) return {.error = prefix + "context canceled"};
  auto receiver = std::make_shared<StreamReceiver>(sink, peer_->options.max_body_bytes, prefix);
  const std::stop_callback on_change(connections->changed.get_token(), [&receiver] { receiver->Break(kRenewed); });
  const Connection::Cancel cancel = connections->streams.Start(request, receiver);
  Reply reply = receiver->Wait(stop);
  cancel();  // no effect on an ended request
  if (reply.status == 401) sends_->Refused(*connections);
  return reply;
}

base::Result<void> CpprestClient::Renew(ClientOptions options) {
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

base::Result<std::unique_ptr<RestClient>> MakeRestClient(ClientOptions options) {
  try {
    auto peer = MakePeer(std::move(options), std::make_shared<Gate>());
    if (!peer) return tl::unexpected(peer.error());
    return std::make_unique<CpprestClient>(*peer);
  } catch (const std::exception&) {
    return RefusedUrl();
  }
}

}  // namespace berth::http
