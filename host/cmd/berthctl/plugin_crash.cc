#include "cmd/berthctl/plugin_crash.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "crash/record/crash_record.h"
#include "crash/record/signal_text.h"
#include "plugin/instance/running_call.h"

namespace berth::ctl {
namespace {

constexpr std::array<int, 5> kCrashes = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
std::array<char, size_t{64} << 10> g_crash_stack;  // a plugin may have used all of the thread's stack

void EndWithSentence(int signal) {
  const plugin::RunningCall call = plugin::CallOfThread();
  if (call.instance == nullptr) {
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  static crash::CrashRecord record;
  crash::Describe(record, call);
  crash::SignalText line;
  line << "berthctl: plugin \"" << record.plugin.data() << "\" of profile \"" << record.profile.data() << "\" ("
       << record.library.data() << ") crashed in " << record.point.data() << ": signal " << signal << " ("
       << sigdescr_np(signal) << ")";
  if (record.pod[0] != '\0') line << ", pod \"" << record.pod.data() << "\"";
  (line << "\n").WriteTo(STDERR_FILENO);
  _exit(1);
}

}  // namespace

void NamePluginCrashes() {
  stack_t stack{};
  stack.ss_sp = g_crash_stack.data();
  stack.ss_size = g_crash_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = EndWithSentence;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}

}  // namespace berth::ctl
