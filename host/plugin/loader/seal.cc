#include "plugin/loader/seal.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <thread>

namespace berth::loader {

int SealMemfd(int fd, std::chrono::milliseconds timeout) {
  using std::chrono::milliseconds, std::chrono::steady_clock;
  constexpr milliseconds kRarest{64};
  const auto until = steady_clock::now() + timeout;
  for (milliseconds wait{1};; wait = std::min(wait * 2, kRarest)) {
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0) return 0;
    if (errno != EBUSY || steady_clock::now() + wait > until) return errno;
    std::this_thread::sleep_for(wait);
  }
}

}  // namespace berth::loader
