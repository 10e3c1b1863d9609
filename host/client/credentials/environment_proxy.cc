#include "client/credentials/environment_proxy.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>
#include "base/text.h"
#include "codec/text/trim.h"

namespace berth::credentials {
namespace {

// An address as 16 bytes, IPv4 mapped into IPv6.
struct Address {
  unsigned char bytes[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  bool is_v4 = false;

  bool IsLoopback() const {
    static constexpr unsigned char kV6[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return is_v4 ? bytes[12] == 127 : std::memcmp(bytes, kV6, sizeof kV6) == 0;
  }
};

std::optional<Address> ParseAddress(const std::string& text) {
  Address address;
  if (inet_pton(AF_INET, text.c_str(), address.bytes + 12) == 1) {
    address.is_v4 = true;
    return address;
  }
  if (inet_pton(AF_INET6, text.c_str(), address.bytes) != 1) return std::nullopt;
  address.is_v4 = IN6_IS_ADDR_V4MAPPED(reinterpret_cast<const in6_addr*>(address.bytes));
  return address;
}

// Whether "10.0.0.0/8" contains the address.
bool RangeHolds(const std::string& range, const Address& address) {
  const size_t slash = range.find('/');
  const std::optional<Address> base = ParseAddress(range.substr(0, slash));
  int bits = 0;
  const char* end = range.data() + range.size();
  const auto [stop, fault] = std::from_chars(range.data() + slash + 1, end, bits);
  if (!base || fault != std::errc() || stop != end || bits < 0 || base->is_v4 != address.is_v4) return false;
  if (base->is_v4) bits += 96;
  if (bits > 128) return false;
  for (int bit = 0; bit < bits; ++bit) {
    const unsigned char mask = static_cast<unsigned char>(0x80 >> (bit % 8));
    if ((base->bytes[bit / 8] & mask) != (address.bytes[bit / 8] & mask)) return false;
  }
  return true;
}

// ".corp.example" and "*.corp.example" match subdomains; "corp.example" also matches itself.
bool DomainHolds(std::string domain, const std::string& host) {
  if (domain.starts_with("*.")) domain.erase(0, 1);
  if (!domain.starts_with('.')) {
    if (host == domain) return true;
    domain = std::string(".").append(domain);  // not insert(): gcc 12 reports a false warning
  }
  return host.size() > domain.size() && host.ends_with(domain);
}

// Splits "host:443" and "[::1]:443", and removes the brackets. "" without a port.
std::string TakePort(std::string& entry) {
  const bool brackets = entry.starts_with('[');
  const size_t end = std::min(brackets ? entry.find(']') : entry.find(':'), entry.size());
  const size_t colon = std::min(brackets ? end + 1 : end, entry.size());
  std::string port = entry.substr(colon).starts_with(':') ? entry.substr(colon + 1) : "";
  entry = brackets ? entry.substr(1, end - 1) : entry.substr(0, end);
  return port;
}

// One entry of NO_PROXY, in lower case.
bool EntryHolds(std::string entry, const http::Endpoint& server, const std::optional<Address>& address) {
  if (entry == "*") return true;
  if (entry.find('/') != std::string::npos) return address && RangeHolds(entry, *address);
  if (!ParseAddress(entry)) {
    const std::string port = TakePort(entry);
    if (!port.empty() && port != std::to_string(server.port)) return false;
  }
  if (const auto wanted = ParseAddress(entry)) {
    return address && std::memcmp(wanted->bytes, address->bytes, sizeof wanted->bytes) == 0;
  }
  return !address && DomainHolds(entry, server.host);
}

bool Bypasses(const std::string& no_proxy, const http::Endpoint& server) {
  const std::optional<Address> address = ParseAddress(server.host);
  if (server.host == "localhost" || (address && address->IsLoopback())) return true;
  for (size_t begin = 0; begin <= no_proxy.size();) {
    const size_t comma = std::min(no_proxy.find(',', begin), no_proxy.size());
    const std::string entry(text::Trim(std::string_view(no_proxy).substr(begin, comma - begin), " \t"));
    begin = comma + 1;
    if (!entry.empty() && EntryHolds(base::Lower(entry), server, address)) return true;
  }
  return false;
}

// The upper-case spelling comes first, as in Go.
std::pair<std::string, std::string> Either(const Environment& environment, const std::string& upper) {
  const std::string& value = Variable(environment, upper);
  return !value.empty() ? std::pair(upper, value)
                        : std::pair(base::Lower(upper), Variable(environment, base::Lower(upper)));
}

}  // namespace

base::Result<std::string> ProxyFromEnvironment(const Environment& environment, const Server& server) {
  const auto [name, value] = Either(environment, server.endpoint.https ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (value.empty()) return std::string();
  http::Endpoint endpoint = server.endpoint;
  endpoint.host = base::Lower(endpoint.host);
  if (Bypasses(Either(environment, "NO_PROXY").second, endpoint)) return std::string();
  base::Result<std::string> proxy = ParseProxy(value.find("://") == std::string::npos ? "http://" + value : value);
  if (!proxy) return base::Fail("environment variable " + name + ": " + proxy.error().message);
  return proxy;
}

}  // namespace berth::credentials
