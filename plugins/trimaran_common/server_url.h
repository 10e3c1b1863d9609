// The URL of a server of metrics, as the args give it. Thread: any.
#pragma once

#include <berth/plugin.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace plugins::trimaran {

// The error messages are Berth's: the original fails at each request without http:// or https://. The log shows the
// URL, so it must not contain a password.
inline void CheckUrl(berth::sdk::ArgsReader& in, std::string_view key, std::string_view url) {
  const size_t scheme = url.find("://");
  const std::string_view rest = url.substr(scheme == url.npos ? 0 : scheme + 3);
  if (rest.substr(0, rest.find_first_of("/?#")).find('@') != rest.npos) {
    return in.Forbidden(key, "a URL must not have a user or a password");
  }
  const bool ok = url.starts_with("http://") || url.starts_with("https://");
  in.Check(ok, key, url, "must be a URL with http:// or https://");
}

// Returns the URL in a form to which a path can be appended.
inline std::string WithoutSlashes(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace plugins::trimaran
