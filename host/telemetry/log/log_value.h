// The values of structured log lines, in klog's format: text quoted as in Go, numbers and booleans bare, lists as JSON.
// Thread: a Value borrows its text and must not outlive the statement that logs it.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace berth::log {

// The name of an object of the cluster, as klog.KObj: "default/test", or "node-1" without a namespace. JSON lines have
// its parts.
struct ObjectKey {
  std::string_view text;
};
inline ObjectKey KObj(std::string_view key) { return {key}; }

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
  Value(ObjectKey key) : data_(key) {}
  template <class Rep, class Period>
  Value(std::chrono::duration<Rep, Period> duration) : data_(std::chrono::nanoseconds(duration)) {}
  Value(std::span<const std::string> list) : data_(list) {}
  Value(const std::vector<std::string>& list) : data_(std::span<const std::string>(list)) {}

  // Appends "=" and the value. Text with newlines has klog's format: "=<", each line after a tab, " >".
  void AppendTo(std::string& out) const;
  // Appends the value as JSON, as the logger of k8s.io/component-base/logs/json writes it. Texts and lists that need
  // more than about `limit` bytes are cut with a remark.
  void AppendJson(std::string& out, size_t limit) const;

 private:
  std::variant<bool, int64_t, uint64_t, double, std::string_view, ObjectKey, std::chrono::nanoseconds,
               std::span<const std::string>>
      data_;
};

struct Pair {
  std::string_view key;
  Value value;
};

// The message alone, or "message" and ` key=value` for each pair.
std::string LineText(std::string_view message, std::span<const Pair> pairs);

}  // namespace berth::log
