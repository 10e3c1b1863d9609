#include "cmd/berthctl/validate/process_state.h"

#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace berth::validate {
namespace {

using Facts = std::map<std::string, std::string>;

constexpr int kMostDescriptors = 1024;

// The loader keeps sealed copies of libraries open as long as their code is mapped.
void AddDescriptors(Facts& facts, size_t& n) {
  for (int fd = 0; fd < kMostDescriptors; ++fd) {
    char target[512];
    const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target, sizeof target);
    if (length < 0) continue;
    const std::string text(target, static_cast<size_t>(length));
    if (text.starts_with("/memfd:")) continue;
    facts["descriptor " + std::to_string(fd)] = text;
    ++n;
  }
}

size_t Threads() {
  size_t n = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) n += task.exists() ? 1 : 0;
  return n;
}

void AddSignals(Facts& facts) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0) continue;
    const auto handler = (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<uintptr_t>(action.sa_sigaction)
                                                             : reinterpret_cast<uintptr_t>(action.sa_handler);
    facts["the disposition of signal " + std::to_string(number)] =
        std::to_string(handler) + " with flags " + std::to_string(action.sa_flags);
  }
  sigset_t blocked;
  if (pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0) return;
  for (int number = 1; number < NSIG; ++number) {
    if (sigismember(&blocked, number) == 1) facts["signal " + std::to_string(number)] = "blocked";
  }
}

void AddEnvironment(Facts& facts) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    facts["the environment's " + text.substr(0, equals)] = text.substr(std::min(equals, text.size()));
  }
}

void AddFloatingPoint(Facts& facts) {
  const volatile double smallest = 5e-324;
  facts["the rounding mode"] = std::to_string(fegetround());
  facts["the floating-point traps"] = std::to_string(fegetexcept());
  facts["what becomes of numbers near zero"] = smallest * 1.0 == 0 ? "flushed" : "kept";
}

void AddLimitsAndTimers(Facts& facts) {
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0) {
      facts["limit " + std::to_string(resource)] = std::to_string(limit.rlim_cur);
    }
  }
  itimerval timer{};
  if (getitimer(ITIMER_REAL, &timer) == 0) {
    facts["the interval timer"] = timer.it_value.tv_sec + timer.it_value.tv_usec > 0 ? "armed" : "not armed";
  }
}

std::string Umask() {
  const mode_t mask = umask(0);
  umask(mask);
  return std::to_string(mask);
}

std::string Of(const Facts& facts, const std::string& name) {
  const auto at = facts.find(name);
  return at == facts.end() ? "not there" : at->second;
}

}  // namespace

ProcessState ProcessState::Now() {
  ProcessState state;
  Facts& facts = state.facts_;
  AddDescriptors(facts, state.descriptors_);
  AddSignals(facts);
  AddEnvironment(facts);
  AddFloatingPoint(facts);
  AddLimitsAndTimers(facts);
  state.threads_ = Threads();
  facts["the number of threads"] = std::to_string(state.threads_);
  facts["the umask"] = Umask();
  std::error_code error;
  facts["the working directory"] = std::filesystem::current_path(error).string();
  const char* locale = setlocale(LC_ALL, nullptr);
  facts["the locale"] = locale == nullptr ? "" : locale;
  return state;
}

std::vector<std::string> ProcessState::ChangesSince(const ProcessState& before) const {
  std::vector<std::string> changes;
  Facts names = facts_;
  names.insert(before.facts_.begin(), before.facts_.end());
  for (const auto& [name, unused] : names) {
    const std::string was = Of(before.facts_, name), is = Of(facts_, name);
    if (was != is) changes.push_back(name + " was " + was + ", is " + is);
  }
  return changes;
}

size_t HeapInUse() { return mallinfo2().uordblks; }

}  // namespace berth::validate
