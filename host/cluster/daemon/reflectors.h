// The reflectors of a daemon: nodes, pods, and every other kind that a plugin needs.
//
// Thread: any, if a function does not say otherwise. Ownership: intern, engine, and transport must outlive the object.
// Call Stop before the engine ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "cluster/daemon/feeds.h"
#include "cluster/reflector/reflector.h"
#include "cluster/reflector/running.h"
#include "scheduler/engine/engine.h"

namespace berth::daemon {

struct ReadingOptions {
  int64_t unreadable_kind_timeout_ns = 10 * base::kSecond;  // then a kind that cannot be read counts as empty
  bool protobuf = true;                                     // ask for protobuf where a kind has it; false: JSON only
};

class Reflectors {
 public:
  Reflectors(api::InternTables& intern, engine::Engine& engine, http::Transport& api, uint64_t seed,
             const ReadingOptions& options);
  ~Reflectors() { Stop(/*wait=*/true); }
  Reflectors(const Reflectors&) = delete;

  // Whether extenders get the whole manifests. Before Start.
  void KeepManifests(api::KeepManifest nodes, api::KeepManifest pods);
  // Lists and watches every kind that a plugin needs and that is not watched yet. The log names the plugins in
  // `profiles` that need a kind that cannot be read.
  void WatchNeededKinds(const framework::ProfileSet& profiles);
  void Start();  // only the first call has an effect
  // No reflector starts after this. wait: until all have ended; not on the I/O thread.
  void Stop(bool wait);

  // Blocks until the engine has received everything that the API server has at the time of the call. False: stop was
  // requested first. Not on the scheduling thread.
  bool CatchUp(const std::stop_token& stop);

  std::string trouble() const;  // why a list is missing; "": no known reason
  struct WatchState {
    std::string resource;   // "pods"
    int64_t broken_ns = 0;  // 0: it is not broken
  };
  std::vector<WatchState> Watches() const;
  std::optional<reflector::Outage::State> NodeOutage() const { return nodes_.outage(); }
  std::optional<reflector::Outage::State> PodOutage() const { return pods_.outage(); }

 private:
  struct Reflected {
    Reflected(api::InternTables& intern, engine::Engine& engine, objects::KindId kind,
              const reflector::ResourceKind& resource, http::Transport& api, uint64_t seed)
        : feed(intern, engine, kind), reflector(resource, api, feed, seed) {}
    ObjectsFeed feed;
    reflector::Reflector reflector;
  };
  static std::string NeedersOf(objects::KindId kind, const framework::ProfileSet& profiles);
  void Reflect(reflector::Reflector& reflector) REQUIRES(mutex_);
  std::vector<reflector::Reflector*> All();

  api::InternTables& intern_;
  engine::Engine& engine_;
  http::Transport& api_;
  const uint64_t seed_;
  const ReadingOptions options_;
  NodeFeed node_feed_;
  PodFeed pod_feed_;
  reflector::Reflector nodes_, pods_;

  mutable base::Mutex mutex_;
  std::vector<std::unique_ptr<Reflected>> objects_ GUARDED_BY(mutex_);  // never fewer
  std::vector<std::unique_ptr<reflector::Running>> running_ GUARDED_BY(mutex_);
  enum class State : uint8_t { kNew, kRunning, kStopped };
  State state_ GUARDED_BY(mutex_) = State::kNew;  // kRunning: a new reflector starts at once
};

}  // namespace berth::daemon
