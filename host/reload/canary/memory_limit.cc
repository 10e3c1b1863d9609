#include "reload/canary/memory_limit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "os/machine/memory.h"
#include "plugin/loader/host_libraries.h"

namespace berth::canary {
namespace {

uint64_t g_before = 0, g_limit = 0;  // bytes; 0: no limit is set

// The largest address space that this process has had, in bytes; 0 if it is unknown. Async-signal-safe.
uint64_t PeakAddressSpace() {
  const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char buffer[4096];
  const ssize_t n = read(fd, buffer, sizeof buffer);
  close(fd);
  const std::string_view text(buffer, n > 0 ? static_cast<size_t>(n) : 0), name = "VmPeak:";
  const size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  uint64_t kib = 0;
  for (const char c : text.substr(at + name.size())) {
    if (c >= '0' && c <= '9') kib = kib * 10 + static_cast<uint64_t>(c - '0');
    if (c == '\n') break;
  }
  return kib << 10;
}

}  // namespace

uint64_t HeadroomOf(uint64_t left_in_cgroup) { return std::clamp(left_in_cgroup / 2, kLeastHeadroom, kMostHeadroom); }

bool MemoryLimit::Set() {
  if (loader::IsSanitized()) return true;
  g_before = PeakAddressSpace();
  if (g_before == 0) return false;
  const uint64_t limit = g_before + HeadroomOf(os::CgroupMemoryLeft().value_or(kMostHeadroom * 2));
  const rlimit both{limit, limit};
  if (setrlimit(RLIMIT_AS, &both) != 0) return false;
  g_limit = limit;
  return true;
}

// An allocator that doubles its memory fails when it uses a third of the limit.
MemoryLimit::Use MemoryLimit::Taken() {
  if (g_limit == 0) return {0, 0, false};
  const uint64_t most = PeakAddressSpace();
  return {most, g_limit, most > g_before + (g_limit - g_before) / 4};
}

}  // namespace berth::canary
