#include "cluster/daemon/leadership.h"

#include <chrono>
#include <utility>

#include "base/clock.h"
#include "telemetry/log/log.h"

namespace berth::daemon {
namespace {

constexpr std::chrono::seconds kNextTry{1};

}  // namespace

Leadership::Leadership(engine::Engine& engine, Reflectors& reflectors, bool leads)
    : engine_(engine),
      reflectors_(reflectors),
      leads_(leads),
      number_(keeper_->AddAwaiting([this] { BeginToCatchUp(); })) {
  engine_.set_popping(false);
}

Leadership::~Leadership() {
  keeper_->Remove(number_);
  {
    base::MutexLock lock(mutex_);
    catching_up_.request_stop();
  }
  thread_.Stop();
}

void Leadership::Acquired() {
  {
    base::MutexLock lock(mutex_);
    catching_up_ = std::stop_source();
    ++term_;
  }
  BeginToCatchUp();
}

// On a thread that may wait for the API server. Tries again while the system gives none.
void Leadership::BeginToCatchUp() {
  Acquisition acquisition;
  {
    base::MutexLock lock(mutex_);
    acquisition = {term_, catching_up_.get_token()};
  }
  if (acquisition.lost.stop_requested()) return;
  const auto posted = thread_.Post([this, acquisition = std::move(acquisition)] { CatchUp(acquisition); });
  if (posted == base::TaskThreads::Posted::kNoThread) keeper_->Await(number_, kNextTry, -1);
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
