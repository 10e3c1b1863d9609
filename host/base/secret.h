// Values that must not be shown: they print as a mark in their place, and whoever uses one asks for it by name.
// Thread: values.
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace berth::base {

// What stands in a secret's place, as client-go prints its rest.Config. No base64.
inline constexpr const char* kRedacted = "--- REDACTED ---";

// A key, a token, a password. Only whether there is one may be shown.
class Secret {
 public:
  Secret() = default;
  template <std::convertible_to<std::string> Text>
  Secret(Text&& value) : value_(std::forward<Text>(value)) {}

  bool empty() const { return value_.empty(); }
  const std::string& Reveal() const { return value_; }
  std::string Shown() const { return empty() ? "" : kRedacted; }
  bool operator==(const Secret&) const = default;

 private:
  std::string value_;
};

// A URL, which may hold a password or a token.
class SecretUrl {
 public:
  SecretUrl() = default;
  template <std::convertible_to<std::string> Text>
  SecretUrl(Text&& url) : url_(std::forward<Text>(url)) {}

  bool empty() const { return url_.empty(); }
  const std::string& Reveal() const { return url_; }
  // The URL when it has neither user information nor a query nor a fragment; else "https://xxxxx@host/path?xxxxx",
  // which nobody takes for a whole URL.
  std::string Shown() const;
  bool operator==(const SecretUrl&) const = default;

 private:
  std::string url_;
};

std::ostream& operator<<(std::ostream& out, const Secret& secret);
std::ostream& operator<<(std::ostream& out, const SecretUrl& url);

// A URL without user information, query and fragment, much as Go's URL.Redacted shows it: "http://xxxxx@proxy:3128".
std::string ShownUrl(std::string_view url);

}  // namespace berth::base
