// The values of structured log lines, in klog's format: text quoted as in Go, numbers and booleans bare, lists as JSON.
// Thread: a Value borrows its text and must not outlive the statement that logs it.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace berth::log {

class Value {
 public:
  Value(bool b) : data_(b) {}
  template <std::signed_integral T>
  Value(T i) : data_(static_cast<int64_t>(i)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Value(T u) : data_(static_cast<uint64_t>(u)) {}
  Value(double d) : data_(d) {}
  Value(std::string_view text) : data_(text) {}
  Value(const std::string& text) : data_(std::string_view(text)) {}
  Value(const char* text) : data_(text == nullptr ? std::string_view() : std::string_view(text)) {}
  Value(std::span<const std::string> list) : data_(list) {}
  Value(const std::vector<std::string>& list) : data_(std::span<const std::string>(list)) {}

  // Appends "=" and the value. Text with newlines has klog's format: "=<", each line after a tab, " >".
  void AppendTo(std::string& out) const;

 private:
  std::variant<bool, int64_t, uint64_t, double, std::string_view, std::span<const std::string>> data_;
};

struct Pair {
  std::string_view key;
  Value value;
};

// The message alone, or "message" and ` key=value` for each pair.
std::string LineText(std::string_view message, std::span<const Pair> pairs);

}  // namespace berth::log
