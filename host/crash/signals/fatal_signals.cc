#include "crash/signals/fatal_signals.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "crash/reexec/reexec.h"
#include "crash/stack/stack.h"
#include "os/machine/interrupted_at.h"
#include "plugin/instance/running_call.h"

namespace berth::crash {
namespace {

constexpr std::array<int, 5> kFatal = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr size_t kStackBytes = size_t{128} << 10;  // for unwinding, and for the registers of CPUs with wide vectors

struct HandlerStack {
  void* memory = MAP_FAILED;
  ~HandlerStack() {
    if (memory == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, kStackBytes);
  }
};
thread_local HandlerStack t_stack;

[[noreturn]] void WaitForTheEnd() {
  for (;;) pause();
}

bool IsFromOutside(const siginfo_t& info) { return info.si_code <= 0 && info.si_pid != getpid(); }

[[noreturn]] void EndBy(int signal, const siginfo_t& info, const void* context) {
  const plugin::RunningCall call = plugin::CallOfThread();
  const bool blames = call.instance != nullptr && !IsFromOutside(info);
  CrashRecord& record = RecordOfReexec();
  Begin(record, signal, gettid());
  if (info.si_code > 0) record.fault_address = reinterpret_cast<uint64_t>(info.si_addr);
  if (blames) Describe(record, call);
  KeepRecord();  // before the walk of the stack, which may be corrupt
  WriteLine(record);
  TakeStack(record, os::InterruptedAt(context));
  KeepRecord();
  if (blames) Depart(signal);
  Die(signal);
}

extern "C" void OnFatalSignal(int signal, siginfo_t* info, void* context) {
  switch (ClaimReexec()) {
    case Claim::kMine: EndBy(signal, *info, context);
    case Claim::kNested:
      if (RecordOfReexec().in_plugin != 0) Depart(signal);
      Die(signal);
    case Claim::kOthers: WaitForTheEnd();
  }
}

}  // namespace

void GiveThreadAHandlerStack() {
  if (t_stack.memory != MAP_FAILED) return;
  t_stack.memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (t_stack.memory == MAP_FAILED) return;  // all crashes except stack overflows are still reported
  stack_t stack{};
  stack.ss_sp = t_stack.memory;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

void InstallSignalHandlers() {
  PrepareStacks();
  GiveThreadAHandlerStack();
  plugin::SetOnFirstCall(GiveThreadAHandlerStack);
  plugin::SetOnNewInstance(NoteModules);
  struct sigaction action {};
  action.sa_sigaction = OnFatalSignal;
  // Not blocked in the handler: the handler must notice its own crash.
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  for (const int signal : kFatal) {
    struct sigaction before {};
    sigaction(signal, &action, &before);
    SetActionBefore(signal, before);
  }
}

}  // namespace berth::crash
