#include "cluster/daemon/leadership.h"

#include "base/clock.h"
#include "telemetry/log/log.h"

namespace berth::daemon {

Leadership::Leadership(engine::Engine& engine, Reflectors& reflectors, bool leads)
    : engine_(engine), reflectors_(reflectors), leads_(leads) {
  engine_.set_popping(false);
}

Leadership::~Leadership() {
  {
    base::MutexLock lock(mutex_);
    catching_up_.request_stop();
  }
  thread_.Stop();
}

void Leadership::Acquired() {
  Acquisition acquisition;
  {
    base::MutexLock lock(mutex_);
    catching_up_ = std::stop_source();
    acquisition = {++term_, catching_up_.get_token()};
  }
  const auto catch_up = [this, acquisition = std::move(acquisition)] { CatchUp(acquisition); };
  if (thread_.Post(catch_up) == base::TaskThreads::Posted::kNoThread) catch_up();
}

void Leadership::Lost() {
  {
    base::MutexLock lock(mutex_);
    ++term_;
    catching_up_.request_stop();
  }
  engine_.Post(engine::Task([this] { Follow(); }));
}

uint64_t Leadership::Term() const {
  base::MutexLock lock(mutex_);
  return term_;
}

void Leadership::CatchUp(const Acquisition& acquisition) {
  const base::RealClock clock;
  const int64_t began = clock.MonoNs();
  reflectors_.Start();
  if (!reflectors_.CatchUp(acquisition.lost)) return;
  log::Info("The view of the cluster is that of the API server, scheduling starts",
            {{"milliseconds", (clock.MonoNs() - began) / base::kMillisecond}});
  // After everything that the reflectors have posted.
  engine_.Post(engine::Task([this, term = acquisition.term] { LeadIn(term); }));
}

void Leadership::LeadIn(uint64_t term) {
  if (term != Term()) return;
  leads_ = true;
  engine_.set_popping(synced_);
}

void Leadership::Follow() {
  leads_ = false;
  engine_.set_popping(false);
  engine_.GiveUpAttempts("this process is not the leader any more");
}

void Leadership::Synced() {
  synced_ = true;
  engine_.set_popping(leads_);  // not before: with an incomplete list, the known nodes would fill up too soon
}

}  // namespace berth::daemon
