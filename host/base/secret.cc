#include "base/secret.h"

#include <ostream>

namespace berth::base {

std::string SecretUrl::Shown() const {
  const size_t at = url_.rfind('@');
  const bool cut = url_.find_first_of("?#", at == std::string::npos ? 0 : at) != std::string::npos;
  return ShownUrl(url_) + (cut ? "?xxxxx" : "");
}

std::ostream& operator<<(std::ostream& out, const Secret& secret) { return out << secret.Shown(); }
std::ostream& operator<<(std::ostream& out, const SecretUrl& url) { return out << url.Shown(); }

std::string ShownUrl(std::string_view url) {
  const size_t at = url.rfind('@');
  const std::string_view shown = at == std::string_view::npos ? url : url.substr(at);
  std::string address(shown.substr(0, shown.find_first_of("?#")));
  if (at == std::string_view::npos) return address;
  const size_t slashes = url.find("://");
  return std::string(slashes < at ? url.substr(0, slashes + 3) : "") + "xxxxx" + address;
}

}  // namespace berth::base
