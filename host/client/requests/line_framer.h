// Splits a body that arrives in pieces into lines. Thread: one. Ownership: keeps the incomplete last line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::requests {

class LineFramer {
 public:
  // A longer line is no object of an API server: etcd holds 1.5 MiB.
  explicit LineFramer(size_t max_line_bytes = size_t{16} << 20) : max_(max_line_bytes) {}

  // Calls line(text without '\n') for each line that bytes completes, except for empty lines. False: line returned
  // false, or a line is too long.
  template <class Line>
  bool Feed(std::string_view bytes, Line&& line) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      if (end == std::string_view::npos) {
        if (rest_.size() + bytes.size() > max_) return false;
        rest_.append(bytes);
        return true;
      }
      std::string_view text = bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      if (rest_.size() + text.size() > max_) return false;
      if (rest_.empty()) {
        if (!text.empty() && !line(text)) return false;
        continue;
      }
      rest_.append(text);
      const bool go_on = line(std::string_view(rest_));
      rest_.clear();
      if (rest_.capacity() > kKeepBytes) rest_.shrink_to_fit();
      if (!go_on) return false;
    }
    return true;
  }
  std::string_view rest() const { return rest_; }

 private:
  static constexpr size_t kKeepBytes = size_t{256} << 10;
  const size_t max_;
  std::string rest_;
};

}  // namespace berth::requests
