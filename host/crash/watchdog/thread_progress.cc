#include "crash/watchdog/thread_progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/clock.h"

namespace berth::crash {
namespace {

using Text = std::array<char, 512>;

// The beginning of the file, followed by a NUL; "" when it cannot be read.
Text Read(pid_t thread, const char* name) {
  Text text{}, path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", thread, name);
  const int fd = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  const ssize_t n = read(fd, text.data(), text.size() - 1);
  close(fd);
  text[n > 0 ? static_cast<size_t>(n) : 0] = '\0';
  return text;
}

// The result of pthread_getcpuclockid, which needs a pthread_t: include/linux/posix-timers.h, CPUCLOCK_PERTHREAD_MASK
// and CPUCLOCK_SCHED.
clockid_t CpuClockOf(pid_t thread) { return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6); }

// "4711 (any name) R ...": the name may hold spaces and brackets.
bool IsRunnable(const Text& stat) {
  const char* behind_name = std::strrchr(stat.data(), ')');
  return behind_name != nullptr && behind_name[1] == ' ' && behind_name[2] == 'R';
}

}  // namespace

Progress ProgressOf(pid_t thread) {
  Progress progress;
  timespec cpu;
  if (clock_gettime(CpuClockOf(thread), &cpu) != 0) return progress;
  progress.cpu_ns = cpu.tv_sec * base::kSecond + cpu.tv_nsec;
  std::sscanf(Read(thread, "schedstat").data(), "%*d %" SCNd64, &progress.queued_ns);
  progress.runnable = IsRunnable(Read(thread, "stat"));
  return progress;
}

// The kernel adds a wait for the CPU to queued_ns after it has ended. So only the CPU time of a runnable thread is
// certain.
int64_t TimeOfItsOwn(const Progress& before, const Progress& now, int64_t ran_ns) {
  const int64_t own = now.runnable ? now.cpu_ns - before.cpu_ns : ran_ns - (now.queued_ns - before.queued_ns);
  return std::clamp<int64_t>(own, 0, ran_ns);
}

}  // namespace berth::crash
