// The parts of a server's or proxy's URL, checked. cpprestsdk's own URL type lets too much pass and cannot hold an IPv6
// host in a form that it can also resolve. Thread: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::http {

struct Endpoint {
  bool https = false;
  std::string user, password;  // percent-decoded; empty unless a proxy's
  std::string host;            // without brackets
  uint16_t port = 0;
  std::string prefix;  // "" or "/k8s/clusters/c-1", without a slash at the end
  bool is_ipv6 = false;

  std::string Address() const;  // "127.0.0.1:6443", "[::1]:6443"
  std::string Url() const;      // without user and password
};

// What a URL may hold besides scheme, host and port.
enum class UrlKind : uint8_t {
  kServer,  // http or https, a path
  kProxy,   // http only, user and password
};

// An IPv4 address, or an IPv6 address without brackets.
bool IsIpAddress(const std::string& host);

// The port is the scheme's own where the URL has none. Errors name the URL, unless it holds a password, less its query.
base::Result<Endpoint> ParseEndpoint(std::string_view url, UrlKind kind);

}  // namespace berth::http
