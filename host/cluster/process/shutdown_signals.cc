#include "cluster/process/shutdown_signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <utility>

#include "telemetry/log/log.h"

namespace berth::process {
namespace {

constexpr std::chrono::hours kLookAnyway{1};
constexpr std::chrono::milliseconds kLook{100};  // without a descriptor

sigset_t Ours() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR2, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Signals::Signals() {
  std::signal(SIGPIPE, SIG_IGN);  // a write to a closed connection returns an error instead
  const sigset_t set = Ours();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void Signals::Start(std::function<void()> on_end, std::function<void()> on_dump, std::function<void()> on_reload) {
  calls_ = {std::move(on_end), std::move(on_dump), std::move(on_reload)};
  const sigset_t set = Ours();
  fd_ = os::FileDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  keeper_ = base::Housekeeper::OfProcess();
  number_ = keeper_->AddAwaiting([this] { Take(); });
  AwaitMore();
}

void Signals::Stop() {
  if (keeper_ == nullptr) return;
  keeper_->Remove(number_);
  keeper_.reset();
}

void Signals::AwaitMore() {
  keeper_->Await(number_, fd_.valid() ? std::chrono::nanoseconds(kLookAnyway) : std::chrono::nanoseconds(kLook),
                 fd_.get());
}

void Signals::Take() {
  const sigset_t set = Ours();
  const timespec at_once{0, 0};
  while (const int signal = std::max(0, sigtimedwait(&set, nullptr, &at_once))) {
    if (signal == SIGUSR2) calls_.dump();
    if (signal == SIGHUP) calls_.reload();
    if (signal != SIGTERM && signal != SIGINT) continue;
    if (std::exchange(ending_, true)) {
      log::Flush();
      _exit(1);
    }
    calls_.end();
  }
  AwaitMore();
}

}  // namespace berth::process
