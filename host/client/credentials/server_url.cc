#include "client/credentials/server_url.h"

#include "base/text.h"
#include "client/credentials/redact.h"

namespace berth::credentials {

base::Result<Server> ParseServer(std::string_view text) {
  const bool has_scheme = text.find("://") != std::string_view::npos;
  Server server;
  server.url = (has_scheme ? "" : "http://") + std::string(text.substr(0, text.find_first_of("?#")));
  while (server.url.ends_with('/') && !server.url.ends_with("://")) server.url.pop_back();
  base::Result<http::Endpoint> endpoint = http::ParseEndpoint(server.url, http::UrlKind::kServer);
  if (!endpoint) return tl::unexpected(endpoint.error());
  if (!has_scheme && !endpoint->prefix.empty()) {
    return base::Fail("host must be a URL or a host:port pair: " + base::Quoted(ShownUrl(text)));
  }
  server.endpoint = std::move(*endpoint);
  return server;
}

base::Result<std::string> ParseProxy(std::string_view text) {
  const size_t end = text.find("://");
  const std::string scheme = end == std::string_view::npos ? "" : base::Lower(text.substr(0, end));
  if (scheme == "socks5" || scheme == "https") {
    return base::Fail(scheme + " proxies are not supported, http proxies are");
  }
  if (scheme != "http") return base::Fail("unsupported scheme, must be http");
  const base::Result<http::Endpoint> endpoint = http::ParseEndpoint(text, http::UrlKind::kProxy);
  if (!endpoint) return tl::unexpected(endpoint.error());
  return std::string(text);
}

}  // namespace berth::credentials
