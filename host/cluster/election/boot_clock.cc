#include "cluster/election/boot_clock.h"

#include <ctime>

namespace berth::election {

int64_t BootNs() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * base::kSecond + now.tv_nsec;
}

}  // namespace berth::election
