// The checked parts of the URL of a server or proxy. cpprestsdk's own URL type accepts invalid URLs and cannot
// represent an IPv6 host that it can also resolve. Thread: values.
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

// The parts that a URL may have besides scheme, host and port.
enum class UrlKind : uint8_t {
  kServer,  // http or https, a path
  kProxy,   // http only, user and password
};

// An IPv4 address, or an IPv6 address without brackets.
bool IsIpAddress(const std::string& host);

// A URL without a port has the port of its scheme. Errors contain the URL without its query, and not at all when it has
// a password.
base::Result<Endpoint> ParseEndpoint(std::string_view url, UrlKind kind);

}  // namespace berth::http
