#include "cluster/explain/watch_hub.h"

#include <utility>
#include <vector>

#include "base/thread_name.h"
#include "cluster/explain/decision_events.h"
#include "scheduler/engine/ask.h"

namespace berth::explain {

// What the listener has of a watcher.
class WatchHub::Source final : public http::BodySource {
 public:
  Source(std::shared_ptr<WatchHub> hub, Place place) : hub_(std::move(hub)), place_(place) {}
  ~Source() override { hub_->Leave(place_); }
  std::optional<std::string> Next() override { return hub_->Take(place_); }
  void SetWake(std::function<void()> wake) override { hub_->SetWake(place_, std::move(wake)); }

 private:
  const std::shared_ptr<WatchHub> hub_;
  const Place place_;
};

WatchHub::WatchHub(engine::Engine& engine, const WatchLimits& limits) : engine_(engine), limits_(limits) {}

WatchHub::~WatchHub() = default;  // ends and joins the thread

std::shared_ptr<http::BodySource> WatchHub::Watch(Wish wish) {
  base::MutexLock lock(mutex_);
  if (ended_ || watchers_.size() >= limits_.watchers) return nullptr;
  const Clock::time_point now = Clock::now();
  // Whatever throws comes before the watcher takes a place, which only its source frees.
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
  std::list<Watcher> added;
  added.push_back(
      {.filter = std::move(wish.filter), .position = wish.after, .last_output = now, .ends = now + limits_.longest});
  auto source = std::make_shared<Source>(shared_from_this(), added.begin());
  watchers_.splice(watchers_.end(), added);
  hungry_ = true;
  changed_.notify_all();
  return source;
}

bool WatchHub::ended() {
  base::MutexLock lock(mutex_);
  return ended_;
}

void WatchHub::End() {
  base::MutexLock lock(mutex_);
  ended_ = true;
  for (Watcher& one : watchers_) {
    one.complete = true;
    Wake(one);
  }
}

std::optional<std::string> WatchHub::Take(Place place) {
  base::MutexLock lock(mutex_);
  if (place->complete) return std::nullopt;
  if (place->out.empty()) return "";
  place->last_output = Clock::now();
  if (place->behind) {
    hungry_ = true;
    changed_.notify_all();
  }
  return std::exchange(place->out, {});
}

void WatchHub::SetWake(Place place, std::function<void()> wake) {
  base::MutexLock lock(mutex_);
  place->wake = std::move(wake);
}

void WatchHub::Leave(Place place) {
  base::MutexLock lock(mutex_);
  watchers_.erase(place);
}

// The lock is held, so that SetWake waits for this call.
void WatchHub::Wake(const Watcher& watcher) {
  if (watcher.wake) watcher.wake();
}

void WatchHub::Loop(const std::stop_token& stop) {
  base::NameThread("decision-watch");
  for (Rest(stop); !stop.stop_requested(); Rest(stop)) {
    for (const uint64_t position : Positions()) {
      engine::Engine& engine = engine_;
      const auto found = engine::Ask(
          engine, [&engine, position] { return CopyNew(engine.decisions().ring(), position); }, stop);
      if (found) Deliver(position, *found);
    }
    LookAtTime();
  }
}

void WatchHub::Rest(const std::stop_token& stop) {
  base::MutexLock lock(mutex_);
  changed_.wait(lock, stop, [this]() REQUIRES(mutex_) { return !watchers_.empty(); });
  changed_.wait_for(lock, stop, limits_.pause, [this]() REQUIRES(mutex_) { return hungry_; });
  hungry_ = false;
}

std::set<uint64_t> WatchHub::Positions() {
  base::MutexLock lock(mutex_);
  std::set<uint64_t> positions;
  for (const Watcher& one : watchers_) {
    if (one.out.empty() && !one.complete) positions.insert(one.position);
  }
  return positions;
}

void WatchHub::Deliver(uint64_t position, const NewDecisions& found) {
  std::vector<std::string> events;
  for (const DecisionRef& one : found.decisions) events.push_back(DecisionEvent(*one));
  base::MutexLock lock(mutex_);
  for (Watcher& one : watchers_) {
    if (one.position != position || !one.out.empty() || one.complete) continue;
    Fill(one, found, events);
    if (!one.out.empty()) Wake(one);
    if (one.out.empty() && one.behind) hungry_ = true;
  }
}

void WatchHub::Fill(Watcher& watcher, const NewDecisions& found, const std::vector<std::string>& events) {
  if (!std::exchange(watcher.greeted, true)) watcher.out += InstanceEvent(found.newest);
  if (watcher.position == kNow) watcher.position = found.newest;
  // The ID is of another process: all decisions of this one are new to the client.
  if (watcher.position > found.newest) watcher.position = 0;
  if (found.missed != 0) {
    watcher.position += found.missed;
    watcher.out += MissedEvent(found.missed, watcher.position);
  }
  for (size_t i = 0; i < events.size() && watcher.out.size() < limits_.buffer; ++i) {
    if (watcher.filter.Selects(*found.decisions[i])) watcher.out += events[i];
    watcher.position = found.decisions[i]->id;
  }
  watcher.behind = watcher.position < found.newest;
}

void WatchHub::LookAtTime() {
  const Clock::time_point now = Clock::now();
  base::MutexLock lock(mutex_);
  for (Watcher& one : watchers_) {
    const bool over = now >= one.ends && !std::exchange(one.complete, now >= one.ends);
    const bool beats = one.greeted && one.out.empty() && now - one.last_output >= limits_.heartbeat;
    if (beats) one.out = Heartbeat(one.position);
    if (over || beats) Wake(one);
  }
}

}  // namespace berth::explain
