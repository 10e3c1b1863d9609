#include "crash/reexec/reexec.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "crash/record/signal_text.h"
#include "crash/reexec/restarts.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

extern char** environ;

namespace berth::crash {
namespace {

constexpr int kHighestSignal = 64;

// The data for a handler, created at start and never freed.
struct Prepared {
  explicit Prepared(StateDir kept) : place(std::move(kept)) {}
  StateDir place;
  ReexecOptions options;
  Restarts restarts;
  std::vector<std::string> environment;
  std::vector<char*> envp;
  CrashRecord record{};
};
Prepared* g_prepared = nullptr;
std::atomic<pid_t> g_claimed_by{0};
std::atomic<int> g_tries{0};  // number of attempts to restart
std::array<struct sigaction, kHighestSignal + 1> g_before{};
std::atomic<const OfferedVariable*> g_offer{nullptr};

// The current environment, with the variables for the next program.
void CopyEnvironment(Prepared& prepared) {
  const std::string value = prepared.place.EnvironmentValue();
  const std::string ours = std::string(StateDir::kEnvironment) + "=";
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with(ours)) prepared.environment.emplace_back(*entry);
  }
  if (!value.empty()) prepared.environment.push_back(ours + value);
  for (std::string& entry : prepared.environment) prepared.envp.push_back(entry.data());
  prepared.envp.push_back(nullptr);
  prepared.envp.push_back(nullptr);  // room for the offered variable
}

// Also the descriptors that libraries opened without close-on-exec. Kernels before 5.11 need a call for each.
void CloseOnExec() {
  if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int fd = STDERR_FILENO + 1; fd < 65536; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// A blocked signal would stay blocked in the next program.
void Unblock(int signal) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, signal}) sigaddset(&set, number);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void ExecuteAnew() {
  const StateDir& place = g_prepared->place;
  CloseOnExec();
  if (place.directory().empty()) {
    for (const File file : {File::kRecord, File::kRestarts, File::kQuarantine}) fcntl(place.fd(file), F_SETFD, 0);
  }
  if (const OfferedVariable* offer = g_offer.load()) offer->ApplyTo(g_prepared->envp.data());
  execve("/proc/self/exe", g_prepared->options.argv, g_prepared->envp.data());
}

}  // namespace

void Prepare(StateDir place, const ReexecOptions& options) {
  auto prepared = std::make_unique<Prepared>(std::move(place));
  prepared->options = options;
  prepared->restarts = Restarts::Read(ReadText(prepared->place.path(File::kRestarts)));
  CopyEnvironment(*prepared);
  g_prepared = prepared.release();
}

OfferedVariable::OfferedVariable(std::string_view name, std::string_view value,
                                 const std::atomic<int64_t>& until_boot_ns)
    : entry_(std::string(name) + "=" + std::string(value)), prefix_(name.size() + 1), until_boot_ns_(until_boot_ns) {
  g_offer.store(this);
}

OfferedVariable::~OfferedVariable() { g_offer.store(nullptr); }

void OfferedVariable::ApplyTo(char** environment) const {
  char** end = environment;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (strncmp(*entry, entry_.data(), prefix_) != 0) *end++ = *entry;
  }
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  if (now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec < until_boot_ns_.load()) *end++ = entry_.data();
  *end = nullptr;
}

Claim ClaimReexec() {
  pid_t nobody = 0;
  const pid_t self = gettid();
  if (g_claimed_by.compare_exchange_strong(nobody, self)) return Claim::kMine;
  return nobody == self ? Claim::kNested : Claim::kOthers;
}

void GiveBack() { g_claimed_by.store(0); }

CrashRecord& RecordOfReexec() { return g_prepared->record; }

void KeepRecord() { Write(g_prepared->record, g_prepared->place.fd(File::kRecord)); }

void Depart(int signal) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (!g_prepared->options.restart || g_tries.fetch_add(1) > 0) Die(signal);
  if (!g_prepared->restarts.Allows(now.tv_sec)) {
    (SignalText() << "berth-scheduler: restarted itself " << static_cast<int64_t>(kMostRestarts) << " times in "
                  << kRestartWindowSeconds << " s, not again\n")
        .WriteTo(STDERR_FILENO);
    Die(signal);
  }
  Restarts::Append(g_prepared->place.fd(File::kRestarts), now.tv_sec);
  Unblock(signal);
  ExecuteAnew();
  (SignalText() << "berth-scheduler: cannot restart itself: error " << errno << "\n").WriteTo(STDERR_FILENO);
  Die(signal);
}

void Die(int signal) {
  sigaction(signal, &g_before[static_cast<size_t>(signal)], nullptr);
  Unblock(signal);
  raise(signal);
  // The previous handler returned.
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  raise(signal);
  _exit(128 + signal);
}

void SetActionBefore(int signal, const struct sigaction& action) { g_before[static_cast<size_t>(signal)] = action; }

}  // namespace berth::crash
