#include "client/http/endpoint.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "base/secret.h"
#include "codec/text/percent.h"

namespace berth::http {
namespace {

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool IsPathByte(char c) {
  return IsNameByte(c) || std::string_view("/~!$&'()*+,;=:@%").find(c) != std::string_view::npos;
}

bool ParsesAs(int family, const std::string& host) {
  unsigned char address[16];
  return inet_pton(family, host.c_str(), address) == 1;
}

// "user:password" before an '@'.
void TakeUser(std::string_view text, Endpoint& endpoint) {
  const size_t colon = text.find(':');
  endpoint.user = text::PercentDecodedLeniently(text.substr(0, colon));
  if (colon != std::string_view::npos) endpoint.password = text::PercentDecodedLeniently(text.substr(colon + 1));
}

// Returns the error, or "".
std::string_view TakeHost(std::string_view text, Endpoint& endpoint) {
  std::string_view port;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return "missing ']' in host";
    endpoint.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
    if (!ParsesAs(AF_INET6, endpoint.host)) return "what stands in brackets is no IPv6 address";
    endpoint.is_ipv6 = true;
  } else {
    const size_t colon = text.find(':');
    endpoint.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon);
    if (endpoint.host.empty()) return "no host";
    if (!std::all_of(endpoint.host.begin(), endpoint.host.end(), IsNameByte)) return "invalid character in host name";
  }
  if (port.empty()) {
    endpoint.port = endpoint.https ? 443 : 80;
    return {};
  }
  if (port[0] != ':') return "invalid port";
  const auto [end, error] = std::from_chars(port.data() + 1, port.data() + port.size(), endpoint.port);
  if (error != std::errc() || end != port.data() + port.size() || endpoint.port == 0) return "invalid port";
  return {};
}

std::string_view TakeScheme(std::string_view& rest, UrlKind kind, Endpoint& endpoint) {
  const size_t end = rest.find("://");
  if (end == std::string_view::npos) return "missing protocol scheme";
  std::string scheme(rest.substr(0, end));
  for (char& c : scheme) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  rest.remove_prefix(end + 3);
  endpoint.https = scheme == "https";
  if (kind == UrlKind::kProxy && scheme != "http") return "only http:// proxies are supported";
  if (scheme != "http" && scheme != "https") return "unsupported protocol scheme";
  return {};
}

std::string_view TakePath(std::string_view path, UrlKind kind, Endpoint& endpoint) {
  if (path.find_first_of("?#") != std::string_view::npos) return "a query or fragment is not allowed";
  if (!std::all_of(path.begin(), path.end(), IsPathByte)) return "invalid character in path";
  while (path.ends_with('/')) path.remove_suffix(1);
  if (kind == UrlKind::kProxy && !path.empty()) return "a proxy has no path";
  endpoint.prefix = path;
  return {};
}

std::string_view Take(std::string_view rest, UrlKind kind, Endpoint& endpoint) {
  if (auto wrong = TakeScheme(rest, kind, endpoint); !wrong.empty()) return wrong;
  const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view authority = rest.substr(0, end);
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    if (kind == UrlKind::kServer) return "user and password are not allowed";
    TakeUser(authority.substr(0, at), endpoint);
    authority.remove_prefix(at + 1);
  }
  if (auto wrong = TakeHost(authority, endpoint); !wrong.empty()) return wrong;
  return TakePath(rest.substr(end), kind, endpoint);
}

}  // namespace

bool IsIpAddress(const std::string& host) { return ParsesAs(AF_INET, host) || ParsesAs(AF_INET6, host); }

std::string Endpoint::Address() const { return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port); }

std::string Endpoint::Url() const { return (https ? "https://" : "http://") + Address() + prefix; }

base::Result<Endpoint> ParseEndpoint(std::string_view url, UrlKind kind) {
  Endpoint endpoint;
  const std::string_view wrong = Take(url, kind, endpoint);
  if (wrong.empty()) return endpoint;
  // A text with an '@' may contain a password at any position.
  const bool secret = url.find('@') != std::string_view::npos;
  return base::Fail((kind == UrlKind::kProxy ? "parse proxy URL" : "parse server URL") +
                    (secret ? std::string() : " \"" + base::SecretUrl(std::string(url)).Shown() + "\"") + ": " +
                    std::string(wrong));
}

}  // namespace berth::http
