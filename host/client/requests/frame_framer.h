// Splits a body that arrives in pieces into frames, each behind its length: four bytes in big-endian order. Thread:
// one. Ownership: keeps the incomplete last frame; never more bytes than have arrived. Source:
// k8s.io/apimachinery/pkg/util/framer NewLengthDelimitedFrameReader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::requests {

class FrameFramer {
 public:
  // As in LineFramer: a longer frame is no object of an API server.
  explicit FrameFramer(size_t max_frame_bytes = size_t{16} << 20) : max_(max_frame_bytes) {}

  // Calls frame(text) for each frame that bytes completes, except for empty frames. False: frame returned false, or a
  // frame is too long.
  template <class Frame>
  bool Feed(std::string_view bytes, Frame&& frame) {
    while (!bytes.empty()) {
      if (rest_.empty() && bytes.size() >= kHeader) {  // without a copy, if the whole frame is here
        const size_t size = SizeOf(bytes);
        if (size > max_) return false;
        if (bytes.size() - kHeader >= size) {
          if (size > 0 && !frame(bytes.substr(kHeader, size))) return false;
          bytes.remove_prefix(kHeader + size);
          continue;
        }
      }
      if (!Append(bytes)) return false;
      if (!complete()) return true;
      const bool go_on = rest_.size() == kHeader || frame(std::string_view(rest_).substr(kHeader));
      rest_.clear();
      if (rest_.capacity() > kKeepBytes) rest_.shrink_to_fit();
      if (!go_on) return false;
    }
    return true;
  }
  // The incomplete frame with its length.
  std::string_view rest() const { return rest_; }

 private:
  static constexpr size_t kHeader = 4, kKeepBytes = size_t{256} << 10;

  static size_t SizeOf(std::string_view header) {
    uint32_t size = 0;
    for (size_t i = 0; i < kHeader; ++i) size = size << 8 | static_cast<unsigned char>(header[i]);
    return size;
  }
  bool complete() const { return rest_.size() >= kHeader && rest_.size() - kHeader == SizeOf(rest_); }
  // Moves what belongs to the incomplete frame from bytes to rest_. False: the frame is too long.
  bool Append(std::string_view& bytes) {
    if (rest_.size() < kHeader) Move(bytes, kHeader - rest_.size());
    if (rest_.size() < kHeader) return true;
    const size_t size = SizeOf(rest_);
    if (size > max_) return false;
    Move(bytes, kHeader + size - rest_.size());
    return true;
  }
  void Move(std::string_view& bytes, size_t n) {
    n = std::min(n, bytes.size());
    rest_.append(bytes.substr(0, n));
    bytes.remove_prefix(n);
  }

  const size_t max_;
  std::string rest_;
};

}  // namespace berth::requests
