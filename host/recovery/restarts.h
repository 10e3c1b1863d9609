// How often the program may begin anew by itself: kMostRestarts times in kRestartWindow. The times are kept in a file,
// so that they are known to a process that knows nothing else of the one before.
// Thread: Read at start; Allows and Append are async-signal-safe. Ownership: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::recovery {

inline constexpr size_t kMostRestarts = 3;
inline constexpr int64_t kRestartWindowSeconds = 600;

class Restarts {
 public:
  // text: of the file, a line for each restart in Unix seconds; what is no number is passed over.
  static Restarts Read(std::string_view text);
  // May there be another one now? A clock that was set back leaves the times of the future out.
  bool Allows(int64_t unix_seconds) const;
  // A line for the file.
  static void Append(int fd, int64_t unix_seconds);

 private:
  std::array<int64_t, kMostRestarts> last_{};  // the last ones; 0: none
};

}  // namespace berth::recovery
