#include "cmd/berthctl/validate/last_call.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "api/pod.h"
#include "plugin/instance/running_call.h"

namespace berth::validate {
namespace {

constexpr std::array<int, 7> kLastSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGALRM};
constexpr std::chrono::milliseconds kBeforeLimit{200};

int g_findings = -1;
std::array<struct sigaction, kLastSignals.size()> g_otherwise;  // by index in kLastSignals

// One line of Findings, without an allocation.
class StepLine {
 public:
  StepLine() { Append(std::string_view("S")); }
  void Append(std::string_view text) {
    const size_t n = std::min(text.size(), sizeof text_ - 1 - size_);
    for (size_t i = 0; i < n; ++i) text_[size_ + i] = static_cast<unsigned char>(text[i]) < ' ' ? ' ' : text[i];
    size_ += n;
  }
  void Write(int fd) {
    text_[size_] = '\n';
    [[maybe_unused]] const ssize_t written = write(fd, text_, size_ + 1);
  }

 private:
  char text_[512];
  size_t size_ = 0;
};

void NameCall(int signal, siginfo_t* info, void*) {
  const plugin::RunningCall call = plugin::CallOfThread();
  if (call.instance != nullptr) {
    StepLine line;
    line.Append(call.what);
    if (call.pod != nullptr) {
      line.Append(" of pod \"");
      line.Append(call.pod->name());
      line.Append("\"");
    }
    line.Append(" in the host");
    line.Write(g_findings);
  }
  if (signal == SIGALRM) return;
  // The faulting instruction runs again, as without this handler. A signal that was sent is sent again.
  const auto at = std::find(kLastSignals.begin(), kLastSignals.end(), signal);
  sigaction(signal, &g_otherwise[static_cast<size_t>(at - kLastSignals.begin())], nullptr);
  if (info->si_code <= 0) raise(signal);
}

}  // namespace

void NameLastCall(const Findings& findings, std::chrono::milliseconds limit) {
  g_findings = findings.fd();
  struct sigaction action {};
  action.sa_sigaction = &NameCall;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (size_t i = 0; i < kLastSignals.size(); ++i) sigaction(kLastSignals[i], &action, &g_otherwise[i]);
  const auto when = std::max(limit - kBeforeLimit, kBeforeLimit);
  const itimerval timer{{0, 0}, {when.count() / 1000, when.count() % 1000 * 1000}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace berth::validate
