#include "client/credentials/exec_source.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <optional>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "base/thread_name.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

constexpr int64_t kOutcomeStands = base::kSecond;
constexpr int64_t kBetweenEarlyRuns = 10 * base::kSecond;  // while older credentials serve
constexpr int64_t kRefusalCounts = 10 * base::kSecond;     // after the credentials were made
// The longest time before the expiry; a fifth of a shorter lifetime. Enough for two runs that hang.
constexpr int64_t kLongestLead = 120 * base::kSecond;
constexpr int64_t kLeadShare = 5;

bool SameCertificate(const ExecCredentials& a, const ExecCredentials& b) {
  return a.certificate_pem == b.certificate_pem && a.key_pem == b.key_pem;
}

}  // namespace

struct ExecSource::State {
  State(ExecCommand of, const base::Clock& with) : command(std::move(of)), clock(with) {}

  void Loop(const std::stop_token& stop);

  bool Serves() const REQUIRES(mutex) {
    return kept && !refused && (!kept->expires_unix_ns || WallNs() <= *kept->expires_unix_ns);
  }
  bool ExpiresSoon() const REQUIRES(mutex);
  bool HasRunWithin(int64_t ns) const REQUIRES(mutex) { return ended_ns && clock.MonoNs() - *ended_ns < ns; }
  void Want() REQUIRES(mutex);
  void Keep(base::Result<ExecCredentials> made) REQUIRES(mutex);
  int64_t WallNs() const { return clock.WallUnixNs(); }

  const ExecCommand command;
  const base::Clock& clock;
  std::atomic<uint64_t> certificate_version = 0;
  base::Mutex mutex;  // not held while the command runs or during a callback
  std::condition_variable_any want;
  bool wanted GUARDED_BY(mutex) = false;  // the command runs or has to run
  std::vector<std::function<void()>> waiting GUARDED_BY(mutex);
  std::optional<ExecCredentials> kept GUARDED_BY(mutex);
  bool refused GUARDED_BY(mutex) = false;                // kept is
  int64_t made_ns GUARDED_BY(mutex) = 0;                 // mono; of kept
  int64_t lead_ns GUARDED_BY(mutex) = 0;                 // ahead of the expiry of kept
  std::optional<base::Error> failure GUARDED_BY(mutex);  // of the last run
  std::optional<int64_t> ended_ns GUARDED_BY(mutex);     // mono; of the last run
};

void ExecSource::State::Loop(const std::stop_token& stop) {
  base::NameThread("exec-plugin");
  base::MutexLock lock(mutex);
  while (want.wait(lock, stop, [this]() REQUIRES(mutex) { return wanted; }) && !stop.stop_requested()) {
    lock.unlock();
    base::Result<ExecCredentials> made = command.Run(stop);
    if (stop.stop_requested()) return;
    lock.lock();
    Keep(std::move(made));
    wanted = false;
    auto served = std::exchange(waiting, {});
    lock.unlock();
    for (const auto& later : served) later();
    served.clear();
    lock.lock();
  }
}

bool ExecSource::State::ExpiresSoon() const {
  return kept->expires_unix_ns && WallNs() >= *kept->expires_unix_ns - lead_ns;
}

void ExecSource::State::Want() {
  wanted = true;
  want.notify_all();
}

void ExecSource::State::Keep(base::Result<ExecCredentials> made) {
  ended_ns = clock.MonoNs();
  if (!made) {
    failure = base::Error{"getting credentials: " + made.error().message};
    if (Serves()) log::Warning("Unable to refresh credentials, those in use stay", {{"err", failure->message}});
    return;
  }
  log::V(4, "Credential command ran", {{"command", command.Name()}});
  failure.reset();
  refused = false;
  made_ns = *ended_ns;
  if (made->expires_unix_ns) lead_ns = std::min((*made->expires_unix_ns - WallNs()) / kLeadShare, kLongestLead);
  if (!SameCertificate(*made, kept.value_or(ExecCredentials()))) ++certificate_version;
  kept = std::move(*made);
}

ExecSource::ExecSource(ExecCommand command, const base::Clock& clock)
    : state_(std::make_shared<State>(std::move(command), clock)) {}

ExecSource::~ExecSource() {
  thread_.request_stop();
  // A callback of this thread held the last reference to the source.
  if (thread_.joinable() && thread_.get_id() == std::this_thread::get_id()) thread_.detach();
}

const ExecCommand& ExecSource::command() const { return state_->command; }

bool ExecSource::Ready(std::function<void()> later) {
  State& state = *state_;
  base::MutexLock lock(state.mutex);
  const bool serves = state.Serves();
  const bool needed = !serves || state.ExpiresSoon();
  const bool stands = !state.wanted && state.HasRunWithin(serves ? kBetweenEarlyRuns : kOutcomeStands);
  if (needed && !stands) {
    if (!thread_.joinable()) {
      thread_ = std::jthread([shared = state_](const std::stop_token& stop) { shared->Loop(stop); });
    }
    state.Want();
  }
  if (serves || stands) return true;
  state.waiting.push_back(std::move(later));
  return false;
}

base::Result<ExecCredentials> ExecSource::Get() const {
  State& state = *state_;
  base::MutexLock lock(state.mutex);
  if (state.failure && !state.Serves()) return tl::unexpected(*state.failure);
  if (state.kept) return *state.kept;
  return base::Fail("getting credentials: exec: executable " + state.command.Name() + " has not answered yet");
}

void ExecSource::Forget() {
  base::MutexLock lock(state_->mutex);
  if (state_->clock.MonoNs() - state_->made_ns > kRefusalCounts) state_->refused = true;
}

uint64_t ExecSource::certificate_version() const { return state_->certificate_version; }

}  // namespace berth::credentials
