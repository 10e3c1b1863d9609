// Limits how often the program restarts itself: kMostRestarts times in kRestartWindow. A file keeps the times, so that
// the next process knows them.
// Thread: Read at start; Allows and Append are async-signal-safe. Ownership: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::crash {

inline constexpr size_t kMostRestarts = 3;
inline constexpr int64_t kRestartWindowSeconds = 600;

class Restarts {
 public:
  // text: of the file, a line with the Unix seconds of each restart; other lines are ignored.
  static Restarts Read(std::string_view text);
  // Whether another restart is allowed now. Ignores times in the future, after the clock was set back.
  bool Allows(int64_t unix_seconds) const;
  // A line for the file.
  static void Append(int fd, int64_t unix_seconds);

 private:
  std::array<int64_t, kMostRestarts> last_{};  // the last ones; 0: none
};

}  // namespace berth::crash
