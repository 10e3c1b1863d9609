#include "http/rest_client.h"

#include <utility>

#include "http/endpoint.h"
#include "http/peer.h"
#include "http/pipe.h"
#include "http/sends.h"
#include "http/stream.h"
#include "http/tls.h"

namespace berth::http {
namespace {

class RestClient final : public Transport {
 public:
  explicit RestClient(const std::shared_ptr<Peer>& peer)
      : peer_(peer), sends_(std::make_shared<Sends>(peer)), streams_(peer, peer->options.idle_timeout) {}
  ~RestClient() override { sends_->Close(); }

  void Send(Request request, std::function<void(Reply)> done) override {
    sends_->Send(std::move(request), std::move(done));
  }

  void Close() override { sends_->Close(); }

  Reply Stream(const Request& request, BodySink& sink, const std::stop_token& stop) override {
    auto receiver = std::make_shared<StreamReceiver>(sink, peer_->options.max_body_bytes,
                                                     ErrorPrefix(*peer_, request.method, request.path));
    const Pipe::Cancel cancel = streams_.Start(request, receiver);
    Reply reply = receiver->Wait(stop);
    cancel();  // does nothing to what is over
    if (reply.status == 401 && peer_->options.unauthorized) peer_->options.unauthorized();
    return reply;
  }

 private:
  const std::shared_ptr<Peer> peer_;
  const std::shared_ptr<Sends> sends_;
  Pipe streams_;
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

}  // namespace

base::Result<std::unique_ptr<Transport>> MakeRestClient(ClientOptions options) {
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
  try {
    auto peer = std::make_shared<Peer>(std::move(options), std::move(*server), std::move(*proxy), std::move(trust));
    return std::make_unique<RestClient>(peer);
  } catch (const std::exception&) {  // what() holds URLs, with passwords
    return base::Fail("cpprestsdk refuses the URL of the server or the proxy");
  }
}

}  // namespace berth::http
