#include "cluster/daemon/reflectors.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "base/random.h"
#include "base/text.h"

namespace berth::daemon {

Reflectors::Reflectors(api::InternTables& intern, engine::Engine& engine, http::Transport& api, uint64_t seed,
                       const ReadingOptions& options)
    : intern_(intern),
      engine_(engine),
      api_(api),
      seed_(seed),
      options_(options),
      node_feed_(intern, engine),
      pod_feed_(intern, engine),
      nodes_(reflector::kNodes, api, node_feed_, base::Mix(seed)),
      pods_(reflector::kUnfinishedPods, api, pod_feed_, base::Mix(seed + 1)) {
  for (reflector::Reflector* one : {&nodes_, &pods_}) one->set_protobuf(options_.protobuf);
}

void Reflectors::KeepManifests(api::KeepManifest nodes, api::KeepManifest pods) {
  node_feed_.set_keep(nodes);
  pod_feed_.set_keep(pods);
}

void Reflectors::WatchNeededKinds(const framework::ProfileSet& profiles) {
  base::MutexLock lock(mutex_);
  for (const objects::KindId id : engine_.objects().NeededKinds()) {
    const bool there =
        std::any_of(objects_.begin(), objects_.end(), [&](const auto& one) { return one->feed.kind() == id; });
    if (there) continue;
    const objects::Kind& kind = engine_.objects().KindOf(id);
    const reflector::ResourceKind resource{kind.path(), kind.group, kind.resource, "", true, NeedersOf(id, profiles)};
    objects_.push_back(std::make_unique<Reflected>(intern_, engine_, id, resource, api_, base::Mix(seed_ + 1 + id)));
    objects_.back()->reflector.set_unreadable_timeout_ns(options_.unreadable_kind_timeout_ns);
    objects_.back()->reflector.set_protobuf(options_.protobuf);
    if (state_ == State::kRunning) Reflect(objects_.back()->reflector);
  }
}

// The plugins that cannot work if the kind cannot be read, such as "VolumeBinding, VolumeZone".
std::string Reflectors::NeedersOf(objects::KindId kind, const framework::ProfileSet& profiles) {
  std::set<std::string> names;
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) {
      if (instance->NeedsKind(kind)) names.insert(instance->name());
    }
  }
  return base::Join({names.begin(), names.end()}, ", ");
}

void Reflectors::Reflect(reflector::Reflector& reflector) {
  running_.push_back(std::make_unique<reflector::Running>(reflector));
}

void Reflectors::Start() {
  base::MutexLock lock(mutex_);
  if (state_ != State::kNew) return;
  state_ = State::kRunning;
  Reflect(nodes_);
  Reflect(pods_);
  for (const auto& one : objects_) Reflect(one->reflector);
}

void Reflectors::Stop(bool wait) {
  std::vector<std::unique_ptr<reflector::Running>> ended;
  {
    base::MutexLock lock(mutex_);
    state_ = State::kStopped;
    for (const auto& one : running_) one->RequestStop();
    if (wait) ended.swap(running_);
  }
  ended.clear();  // waits
}

std::vector<reflector::Reflector*> Reflectors::All() {
  std::vector<reflector::Reflector*> all{&nodes_, &pods_};
  base::MutexLock lock(mutex_);
  for (const auto& one : objects_) all.push_back(&one->reflector);
  return all;
}

bool Reflectors::CatchUp(const std::stop_token& stop) {
  std::atomic<bool> all = true;
  {
    std::vector<std::jthread> threads;  // a list of each kind at the same time
    for (reflector::Reflector* one : All()) {
      threads.emplace_back([one, &all, &stop] {
        if (!one->CatchUp(stop)) all = false;
      });
    }
  }
  return all;
}

std::vector<Reflectors::WatchState> Reflectors::Watches() const {
  const auto broken_ns = [](const reflector::Reflector& reflector) {
    const auto outage = reflector.outage();
    return outage ? outage->lasted_ns : 0;
  };
  std::vector<WatchState> all{{"nodes", broken_ns(nodes_)}, {"pods", broken_ns(pods_)}};
  base::MutexLock lock(mutex_);
  for (const auto& one : objects_) {
    all.push_back({engine_.objects().KindOf(one->feed.kind()).resource, broken_ns(one->reflector)});
  }
  return all;
}

std::string Reflectors::trouble() const {
  std::string trouble = nodes_.trouble();
  if (trouble.empty()) trouble = pods_.trouble();
  base::MutexLock lock(mutex_);
  for (const auto& one : objects_) {
    if (trouble.empty()) trouble = one->reflector.trouble();
  }
  return trouble;
}

}  // namespace berth::daemon
