// A plain implementation of the scheduling queue: maps, linear scans, and one question per pod and plugin. The model
// test compares the real queue with it. Its plugins are pure functions of their inputs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixture.h"

namespace berth::queue {

// Plugins whose answers depend only on the question and on the settings below.
class PurePolicy : public QueuePolicy {
 public:
  bool Less(const QueuedPod& a, const QueuedPod& b) override { return Sorts(*a.pod, a.timestamp, *b.pod, b.timestamp); }
  PreEnqueueVerdict PreEnqueue(const api::Pod& pod, base::Id first) override;
  std::vector<ProfileRegistrations> Registrations() const override { return profiles; }
  int32_t Hints(const HintRequest& request, std::span<uint8_t> queue) override;

  // A total order, so ties cannot cause differences between the two queues.
  bool Sorts(const api::Pod& a, int64_t time_a, const api::Pod& b, int64_t time_b) const;
  bool Passes(base::Id gate, const api::Pod& pod) const;
  bool Helps(base::Id plugin, uint32_t interest, const EventObjects& objects, std::string_view uid) const;

  std::vector<ProfileRegistrations> profiles;
  std::vector<base::Id> gates;  // PreEnqueue plugins of every profile
  std::set<base::Id> closed;    // these reject some pods
  bool ascending = false;       // low priorities first
};

struct ModelPod {
  api::PodRef pod;
  int64_t timestamp = BERTH_NO_TIME, initial = BERTH_NO_TIME;
  uint32_t attempts = 0, unschedulable_count = 0, errors = 0;
  bool flushed = false;
  std::set<base::Id> unschedulable, pending;
  base::Id gating = base::kNoId;
  uint64_t parked = 0;  // number of its parking

  std::set<base::Id> Rejectors() const {
    std::set<base::Id> all = unschedulable;
    all.insert(pending.begin(), pending.end());
    return all;
  }
};

class QueueModel {
 public:
  QueueModel(const base::Clock& clock, PurePolicy& policy, const FakeLookup& lookup, const QueueOptions& options)
      : clock_(clock), policy_(policy), lookup_(lookup), options_(options) {}

  void Add(const api::PodRef& pod);
  void Update(const api::PodRef& before, const api::PodRef& after);
  void Delete(const api::Pod& pod);
  bool Pop(ModelPod& out);
  void Done(std::string_view uid);
  bool AddUnschedulable(ModelPod pod);  // false when refused
  void Activate(const api::PodRef& pod);
  void Move(const api::ClusterEvent& event, const EventObjects& objects, int32_t max_priority);
  void FlushBackoff(int64_t now);
  void FlushLeftover(int64_t now);
  void Nominate(const api::PodRef& pod, const NominatingInfo& info);
  void UpdateNominated(const api::Pod& before, const api::PodRef& after);
  void DeleteNominated(std::string_view uid);
  void Close();

  using Pods = std::map<std::string, ModelPod>;  // by "namespace/name"
  Pods active, backoff, error_backoff, unschedulable;
  struct InFlight {
    std::string marker;  // UID; "" for an event
    api::ClusterEvent event;
    EventObjects objects;
  };
  std::vector<InFlight> in_flight;
  std::vector<std::pair<std::string, std::string>> nominated;  // UID, node; in order of nomination
  std::map<std::string, int> incoming, unschedulable_reason;
  int64_t cycle = 0;
  int64_t Expiration(const ModelPod& pod) const;  // BERTH_NO_TIME: none

 private:
  static bool Matches(const Registration& r, const api::ClusterEvent& event);
  bool Interested(const api::ClusterEvent& event) const;
  bool GateRegistered(base::Id gate, const api::ClusterEvent& event) const;
  Strategy Worth(const ModelPod& pod, const api::ClusterEvent& event, const EventObjects& objects) const;
  bool BackingOff(const ModelPod& pod, int64_t now) const;
  bool IsInFlight(std::string_view uid) const;
  void RunPreEnqueue(ModelPod& pod);
  bool MoveToActive(ModelPod pod, const std::string& event, bool from_backoff);
  bool MoveToBackoff(ModelPod pod, const std::string& event);
  void Park(const ModelPod& pod, const std::string& event);
  // Returns the place: 'a', 'b', or 'u'.
  char Requeue(const ModelPod& pod, Strategy strategy, const std::string& event);
  void MovePods(std::vector<std::string> keys, const api::ClusterEvent& event, const EventObjects& objects);
  void Count(const ModelPod& pod, int delta);

  const base::Clock& clock_;
  PurePolicy& policy_;
  const FakeLookup& lookup_;
  const QueueOptions options_;
  uint64_t parkings_ = 0;
};

}  // namespace berth::queue
