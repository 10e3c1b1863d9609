// Whether this process schedules. A follower keeps its caches, its plugins, and its policy up to date, and takes no pod
// from the queue. A new leader first catches up with the API server: a decision with an older view of the cluster could
// use resources that the previous leader has assigned (kubernetes/kubernetes#137308).
//
// Thread: any for Acquired and Lost, which do not block; the scheduling thread for Synced. Ownership: engine and
// reflectors must outlive the object.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "base/housekeeper.h"
#include "base/task_threads.h"
#include "base/thread_annotations.h"
#include "cluster/daemon/reflectors.h"
#include "scheduler/engine/engine.h"

namespace berth::daemon {

class Leadership {
 public:
  // leads: this process is the leader from the start, and no other process schedules.
  Leadership(engine::Engine& engine, Reflectors& reflectors, bool leads);
  ~Leadership();
  Leadership(const Leadership&) = delete;

  // This process has become the leader. It schedules as soon as it has caught up.
  void Acquired();
  // This process is no longer the leader: it takes no more pods, and unreserves the pods that it has not bound.
  void Lost();
  // The engine has a list of every kind.
  void Synced();

 private:
  struct Acquisition {
    uint64_t term;
    std::stop_token lost;
  };
  void BeginToCatchUp();
  void CatchUp(const Acquisition& acquisition);
  uint64_t Term() const;
  void LeadIn(uint64_t term);  // scheduling thread
  void Follow();               // scheduling thread

  engine::Engine& engine_;
  Reflectors& reflectors_;
  bool synced_ = false, leads_;  // scheduling thread

  mutable base::Mutex mutex_;
  uint64_t term_ GUARDED_BY(mutex_) = 0;  // counts up at each Acquired and Lost
  std::stop_source catching_up_ GUARDED_BY(mutex_);
  const std::shared_ptr<base::Housekeeper> keeper_ = base::Housekeeper::OfProcess();
  const uint64_t number_;                                        // of BeginToCatchUp
  base::TaskThreads thread_{{.name = "leadership", .most = 1}};  // catches up
};

}  // namespace berth::daemon
