#include "recovery/signals.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "plugin/running_call.h"
#include "recovery/departure.h"
#include "recovery/stack.h"

namespace berth::recovery {
namespace {

constexpr std::array<int, 5> kFatal = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr size_t kStackBytes = size_t{128} << 10;  // unwinding needs some, and so do the registers of wide machines

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
  CrashRecord& record = RecordOfDeparture();
  Begin(record, signal, gettid());
  if (info.si_code > 0) record.fault_address = reinterpret_cast<uint64_t>(info.si_addr);
  if (blames) Describe(record, call);
  KeepRecord();  // before the stack is walked, which may be broken
  WriteLine(record);
  TakeStack(record, InterruptedAt(context));
  KeepRecord();
  if (blames) Depart(signal);
  Die(signal);
}

extern "C" void OnFatalSignal(int signal, siginfo_t* info, void* context) {
  switch (ClaimDeparture()) {
    case Claim::kMine: EndBy(signal, *info, context);
    case Claim::kNested:
      if (RecordOfDeparture().in_plugin != 0) Depart(signal);
      Die(signal);
    case Claim::kOthers: WaitForTheEnd();
  }
}

}  // namespace

void GiveThreadAHandlerStack() {
  if (t_stack.memory != MAP_FAILED) return;
  t_stack.memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (t_stack.memory == MAP_FAILED) return;  // all but an overflow can be told still
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
  // Not blocked meanwhile: what goes wrong in the handler is to be noticed by it.
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  for (const int signal : kFatal) {
    struct sigaction before {};
    sigaction(signal, &action, &before);
    SetActionBefore(signal, before);
  }
}

}  // namespace berth::recovery
