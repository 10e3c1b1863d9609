// Log lines through the host: structured, with file and line of the caller. [any].
//   host.Info("loaded", {{"nodes", n}});
//   if (auto log = host.V(5)) log.Info("scored", {{"pod", pod.name()}, {"score", score}});
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "berth/detail/services.hpp"
#include "berth/source_place.hpp"

namespace berth::sdk {

// One key="value" of a log line. Numbers are formatted in place; texts are borrowed until the line is written.
class Field {
 public:
  Field(std::string_view key, std::string_view value) : key_(key), text_(value) {}
  Field(std::string_view key, const char* value) : key_(key), text_(value) {}
  Field(std::string_view key, const std::string& value) : key_(key), text_(value) {}
  Field(std::string_view key, bool value) : key_(key), text_(value ? "true" : "false") {}
  template <class N>
  requires(std::integral<N> || std::floating_point<N>) Field(std::string_view key, N value) : key_(key) {
    length_ =
        static_cast<size_t>(std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr - digits_.data());
  }

  std::string_view key() const { return key_; }
  std::string_view value() const { return length_ > 0 ? std::string_view(digits_.data(), length_) : text_; }

 private:
  std::string_view key_;
  std::string_view text_;
  std::array<char, 32> digits_;
  size_t length_ = 0;
};

using Fields = std::initializer_list<Field>;

namespace detail {

inline void WriteLine(const Services& services, const berth_host* host, int32_t severity, int32_t verbosity,
                      std::string_view message, Fields fields, SourcePlace at) {
  constexpr size_t kMost = 16;  // further fields are left out
  std::array<berth_str, kMost> keys, values;
  uint32_t n = 0;
  for (const Field& field : fields) {
    if (n == kMost) break;
    keys[n] = Borrow(field.key());
    values[n++] = Borrow(field.value());
  }
  std::string_view file = at.file;
  file.remove_prefix(file.rfind('/') + 1);
  services.log.log(host, severity, verbosity, Borrow(file), at.line, Borrow(message), keys.data(), values.data(), n);
}

}  // namespace detail

// The result of host.V(n): false if verbosity n is off.
class VerboseLog {
 public:
  VerboseLog(const detail::Services* services, const berth_host* host, int32_t verbosity)
      : services_(services), host_(host), verbosity_(verbosity) {}

  explicit operator bool() const { return services_ != nullptr; }
  void Info(std::string_view message, Fields fields = {}, SourcePlace at = SourcePlace::Here()) const {
    if (services_ == nullptr) return;
    detail::WriteLine(*services_, host_, BERTH_LOG_INFO, verbosity_, message, fields, at);
  }

 private:
  const detail::Services* services_;
  const berth_host* host_;
  int32_t verbosity_;
};

}  // namespace berth::sdk
