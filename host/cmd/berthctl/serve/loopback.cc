#include "cmd/berthctl/serve/loopback.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "client/http/endpoint.h"

namespace berth::ctl {
namespace {

// Without the port, and without the brackets of an IPv6 address; "" if the brackets are wrong.
std::string HostOf(std::string_view text) {
  if (!text.starts_with('[')) return std::string(text.substr(0, text.rfind(':')));
  const size_t end = text.find(']');
  if (end == std::string_view::npos || (end + 1 < text.size() && text[end + 1] != ':')) return "";
  return std::string(text.substr(1, end - 1));
}

bool IsLocalhost(std::string_view host) {
  constexpr std::string_view kName = "localhost";
  return std::equal(host.begin(), host.end(), kName.begin(), kName.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace

bool IsLoopback(std::string_view address) {
  const std::string host = HostOf(address);
  return IsLocalhost(host) || host == "::1" || (host.starts_with("127.") && http::IsIpAddress(host));
}

bool IsFixedHost(std::string_view host) {
  const std::string name = HostOf(host);
  return IsLocalhost(name) || http::IsIpAddress(name);
}

}  // namespace berth::ctl
