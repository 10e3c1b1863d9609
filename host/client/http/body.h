// Collects a body up to a size limit. Thread: one at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::http {

class Body {
 public:
  explicit Body(size_t limit) : limit_(limit) {}

  // False when the body is, or would become, larger than the limit.
  bool Append(std::string_view bytes) {
    too_large_ = too_large_ || bytes.size() > limit_ - text_.size();
    if (!too_large_) text_ += bytes;
    return !too_large_;
  }
  bool too_large() const { return too_large_; }
  std::string TooLargeText() const { return "the reply is larger than " + std::to_string(limit_) + " bytes"; }
  std::string Take() { return std::move(text_); }

 private:
  size_t limit_;
  std::string text_;
  bool too_large_ = false;
};

}  // namespace berth::http
