#include "reload/canary/confinement.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "os/fd/file_descriptor.h"
#include "plugin/loader/file.h"
#include "plugin/loader/staging.h"
#include "reload/canary/file_view.h"
#include "reload/canary/memory_limit.h"
#include "reload/canary/system_calls.h"

namespace berth::canary {
namespace {

constexpr rlim_t kMostCpu = 120;  // seconds; the parent's limit is shorter; this one is for a child without a parent
constexpr rlim_t kMostDescriptors = 1024;

bool EmptyInput() {
  const os::FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  return nothing.valid() && dup2(nothing.get(), STDIN_FILENO) == STDIN_FILENO;
}

// When a cgroup's memory is used up, the kernel ends this process first.
bool OfferToDieFirst() {
  const os::FileDescriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  constexpr std::string_view kFirst = "1000";
  return score.valid() && write(score.get(), kFirst.data(), kFirst.size()) == static_cast<ssize_t>(kFirst.size());
}

bool Limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  rlimit limit;
  if (getrlimit(what, &limit) != 0) return false;
  limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, most);
  return setrlimit(what, &limit) == 0;
}

bool LimitResources() {
  bool all = Limit(RLIMIT_CPU, kMostCpu);
  all = Limit(RLIMIT_NOFILE, kMostDescriptors) && all;
  all = Limit(RLIMIT_FSIZE, loader::kLargestFile) && all;
  return MemoryLimit::Set() && all;
}

// All capabilities except those with which root reads files of other users. With more capabilities, a process can
// inspect other processes, despite Landlock.
bool DropCapabilities() {
  constexpr uint32_t kRetained = (1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) return false;
  const uint32_t kept = sets[0].permitted & kRetained;
  sets = {};
  sets[0].effective = sets[0].permitted = kept;
  return syscall(SYS_capset, &header, sets.data()) == 0;
}

}  // namespace

std::vector<std::string> Confine(const Confinement& confinement) {
  std::vector<std::string> missing;
  const auto did = [&](bool done, const char* what) {
    if (!done) missing.emplace_back(what);
  };
  const auto succeeded = [&](const base::Result<void>& result) {
    if (!result) missing.push_back(result.error().message);
  };
  did(EmptyInput(), "no empty standard input");
  did(OfferToDieFirst(), "oom_score_adj cannot be written");
  const bool stages_files = !confinement.staging_directory.empty() && !loader::StagesInMemory();
  did(LimitResources(), "limits of resources cannot be set");
  did(DropCapabilities(), "capabilities cannot be dropped");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    missing.emplace_back("no_new_privs cannot be set");
    return missing;
  }
  succeeded(Restrict({confinement.hidden, stages_files ? confinement.staging_directory : ""}));
  succeeded(FilterSystemCalls(stages_files ? Files::kWritable : Files::kReadOnly));
  return missing;
}

}  // namespace berth::canary
