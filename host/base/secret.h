// Values that must not be shown: they print as a placeholder, and a caller gets the value only through an explicit
// call. Thread: values.
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace berth::base {

// The placeholder of a secret, the same as in client-go's rest.Config. It is not valid base64.
inline constexpr const char* kRedacted = "--- REDACTED ---";

// A key, a token, or a password. Only its presence may be shown.
class Secret {
 public:
  Secret() = default;
  template <std::convertible_to<std::string> Text>  // a Secret is none
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
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
  template <std::convertible_to<std::string> Text>  // a SecretUrl is none
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  SecretUrl(Text&& url) : url_(std::forward<Text>(url)) {}

  bool empty() const { return url_.empty(); }
  const std::string& Reveal() const { return url_; }
  // The URL if it has no user information, query or fragment; else "https://xxxxx@host/path?xxxxx", which is
  // recognizably incomplete.
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
