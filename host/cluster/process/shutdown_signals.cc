#include "cluster/process/shutdown_signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

#include "base/thread_name.h"
#include "telemetry/log/log.h"

namespace berth::process {
namespace {

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

void Signals::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Signals::Start(std::function<void()> on_end, std::function<void()> on_dump, std::function<void()> on_reload) {
  thread_ = std::jthread([on_end = std::move(on_end), on_dump = std::move(on_dump),
                          on_reload = std::move(on_reload)](const std::stop_token& stop) {
    base::NameThread("signals");
    const sigset_t set = Ours();
    const timespec timeout{0, 100'000'000};  // limits how long the end of the process waits for this thread
    bool ending = false;
    while (!stop.stop_requested()) {
      const int signal = sigtimedwait(&set, nullptr, &timeout);
      if (signal == SIGUSR2) on_dump();
      if (signal == SIGHUP) on_reload();
      if (signal != SIGTERM && signal != SIGINT) continue;
      if (ending) {
        log::Flush();
        _exit(1);
      }
      ending = true;
      on_end();
    }
  });
}

}  // namespace berth::process
