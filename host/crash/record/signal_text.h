// Formats and writes a line without memory allocation or locks, for signal handlers. Text that does not fit is cut.
// Thread: a value of one thread.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace berth::crash {

class SignalText {
 public:
  SignalText& operator<<(std::string_view text) {
    const size_t n = std::min(text.size(), buffer_.size() - size_);
    memcpy(buffer_.data() + size_, text.data(), n);
    size_ += n;
    return *this;
  }
  SignalText& operator<<(int64_t number) {
    std::array<char, 20> digits;
    size_t at = digits.size();
    uint64_t left = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    do {
      digits[--at] = static_cast<char>('0' + left % 10);
      left /= 10;
    } while (left > 0);
    if (number < 0) *this << "-";
    return *this << std::string_view(digits.data() + at, digits.size() - at);
  }
  SignalText& operator<<(int32_t number) { return *this << static_cast<int64_t>(number); }
  // Skipped when the descriptor is not writable now: a pipe with a stalled reader would block the handler forever.
  void WriteTo(int fd) const {
    pollfd ready{fd, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return;
    const ssize_t written = write(fd, buffer_.data(), size_);
    static_cast<void>(written);  // nothing can be done about an error
  }

 private:
  std::array<char, 1500> buffer_;
  size_t size_ = 0;
};

}  // namespace berth::crash
