#include "crash/watchdog/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "base/pause.h"
#include "base/thread_name.h"
#include "crash/reexec/reexec.h"
#include "crash/stack/stack.h"
#include "os/machine/interrupted_at.h"

namespace berth::crash {
namespace {

constexpr auto kForItsStack = std::chrono::milliseconds(300);

// The request of the watchdog to the stuck thread, and its answer.
enum class Answer : int { kNone, kTaken, kOver };
std::atomic<uint64_t> g_asked_changes{0};
std::atomic<const plugin::CallSlot*> g_asked{nullptr};
std::atomic<Answer> g_answer{Answer::kNone};

int StackSignal() { return SIGRTMIN + 5; }

// Runs on the stuck thread, which is in the call as long as its slot has not changed.
extern "C" void OnStackSignal(int, siginfo_t*, void* context) {
  const int kept = errno;
  const plugin::CallSlot* slot = g_asked.exchange(nullptr);
  if (slot != nullptr && slot->thread.load(std::memory_order_relaxed) == gettid()) {
    if (slot->changes.load(std::memory_order_relaxed) == g_asked_changes.load()) {
      CrashRecord& record = RecordOfReexec();
      Describe(record, plugin::CallOfThread());
      TakeStack(record, os::InterruptedAt(context));
      g_answer.store(Answer::kTaken);
    } else {
      g_answer.store(Answer::kOver);
    }
  }
  errno = kept;
}

void WatchFor(std::chrono::nanoseconds time) {
  const timespec pause{0, 1'000'000};
  for (const auto until = std::chrono::steady_clock::now() + time;
       g_answer.load() == Answer::kNone && std::chrono::steady_clock::now() < until;) {
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

Watchdog::Watchdog(WatchdogOptions options) : options_(std::move(options)), calls_({options_.look_every}) {
  struct sigaction action {};
  action.sa_sigaction = OnStackSignal;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESTART);
  sigaction(StackSignal(), &action, nullptr);
  Look();  // a stop during the first pause is noticed like any other
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

Watchdog::~Watchdog() {
  thread_ = {};
  plugin::NoMoreLooks();
}

void Watchdog::Run(const std::stop_token& stop) {
  base::NameThread("watchdog");
  while (base::PauseFor(options_.look_every, stop)) {
    NoteModules();
    Look();
  }
}

void Watchdog::Look() {
  const int64_t now_ns = base::RealClock().MonoNs();
  for (const LongCalls::Hang& hang :
       calls_.Look(now_ns, [this](const plugin::CallSlot& slot) { return LimitOf(slot); }))
    End(hang);
  LookAtBindings();
}

void Watchdog::LookAtBindings() {
  if (!options_.bindings) return;
  const WatchdogOptions::Bindings bindings = options_.bindings();
  const bool stand_still = bindings.waiting && bindings.begun == begun_;
  begun_ = bindings.begun;
  bindings_stood_still_ = stand_still ? bindings_stood_still_ + calls_.ran() : std::chrono::nanoseconds(0);
}

std::chrono::nanoseconds Watchdog::LimitOf(const plugin::CallSlot& slot) const {
  const std::chrono::nanoseconds hang_after(slot.hang_after_ns.load(std::memory_order_relaxed));
  const bool hurried = slot.hurried.load(std::memory_order_relaxed) ||
                       slot.thread.load(std::memory_order_relaxed) == options_.scheduling_thread;
  return hurried || bindings_stood_still_ > hang_after ? hang_after : options_.longest_call;
}

void Watchdog::End(const LongCalls::Hang& hang) {
  const plugin::CallSlot& slot = *hang.slot;
  if (ClaimReexec() != Claim::kMine) return;  // another thread already ends the process
  CrashRecord& record = RecordOfReexec();
  Begin(record, 0, slot.thread.load(std::memory_order_relaxed));
  record.waited_ns = hang.own_time.count();
  g_answer.store(Answer::kNone);
  g_asked_changes.store(hang.changes);
  g_asked.store(&slot);
  tgkill(getpid(), record.thread, StackSignal());
  WatchFor(kForItsStack);
  if (g_asked.exchange(nullptr) != nullptr) {  // the thread is inside the kernel and gets no signals
    Describe(record, {slot.instance.load(std::memory_order_relaxed), slot.what.load(std::memory_order_relaxed),
                      slot.pod.load(std::memory_order_relaxed)});
  } else {
    WatchFor(kForItsStack);  // it has started to answer
  }
  if (g_answer.load() == Answer::kOver) return GiveBack();
  KeepRecord();
  WriteLine(record);
  Depart(SIGABRT);
}

}  // namespace berth::crash
