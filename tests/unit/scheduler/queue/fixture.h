// The common fixture of the queue's tests: pods, a policy with scripted plugins, and a queue with a virtual clock.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/intern_tables.h"
#include "api/pod.h"
#include "base/clock.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::queue {

inline constexpr std::string_view kProfile = "default-scheduler";
inline constexpr int64_t kStart = 1'700'000'000 * base::kSecond;  // a whole second

inline constexpr int32_t kLow = 0, kMid = 100, kMedium = 500, kHigh = 1000;

inline constexpr api::ClusterEvent kNodeAdd{"Node", BERTH_ACTION_ADD, {}};
inline constexpr api::ClusterEvent kPvAdd{"PersistentVolume", BERTH_ACTION_ADD, {}};
inline constexpr api::ClusterEvent kPvUpdate{"PersistentVolume", BERTH_ACTION_UPDATE, {}};
inline constexpr api::ClusterEvent kPvcAdd{"PersistentVolumeClaim", BERTH_ACTION_ADD, {}};
inline constexpr api::ClusterEvent kCsiNodeUpdate{"storage.k8s.io/CSINode", BERTH_ACTION_UPDATE, {}};
inline constexpr api::ClusterEvent kAssignedPodAdd{"AssignedPod", BERTH_ACTION_ADD, {}};
inline constexpr api::ClusterEvent kUnscheduledPodUpdateEvent{"UnschedulablePod", BERTH_ACTION_UPDATE, {}};

// One per test program; outlives every pod.
inline api::InternTables& Tables() {
  static api::InternTables intern;
  return intern;
}
// Never released, like plugin names in the framework.
inline base::Id Id(std::string_view text) { return Tables().ids.Intern(text); }

struct PodSpec {
  std::string name;
  std::string ns = "ns1";
  std::string uid;  // "" = name + ns
  int32_t priority = 0;
  std::string label;  // key of its one label
  std::string node, nominated;
  bool toleration = false;
  bool gate = false;
  std::string profile = std::string(kProfile);
};

inline api::PodRef MakePod(const PodSpec& spec) {
  std::string json = R"({"metadata":{"name":")" + spec.name + R"(","namespace":")" + spec.ns + R"(","uid":")" +
                     (spec.uid.empty() ? spec.name + spec.ns : spec.uid) + '"';
  if (!spec.label.empty()) json += R"(,"labels":{")" + spec.label + R"(":""})";
  json += R"(},"spec":{"schedulerName":")" + spec.profile + R"(","priority":)" + std::to_string(spec.priority);
  if (!spec.node.empty()) json += R"(,"nodeName":")" + spec.node + '"';
  if (spec.toleration) json += R"(,"tolerations":[{"key":"foo","effect":"NoSchedule"}])";
  if (spec.gate) json += R"(,"schedulingGates":[{"name":"hello world"}])";
  json += "}";
  if (!spec.nominated.empty()) json += R"(,"status":{"nominatedNodeName":")" + spec.nominated + R"("})";
  json += "}";
  auto pod = api::DecodePod(Tables(), json);
  EXPECT_TRUE(pod) << json << ": " << (pod ? "" : pod.error().message);
  return *pod;
}

inline bool HasLabel(const api::Pod& pod, std::string_view key) {
  const berth_list& items = pod.abi.labels->items;
  for (uint32_t i = 0; i < items.n; ++i) {
    const auto* kv = reinterpret_cast<const berth_kv*>(static_cast<const char*>(items.ptr) + size_t{i} * items.stride);
    if (Tables().ids.Text(kv->key) == key) return true;
  }
  return false;
}

enum class Hint { kNone, kQueue, kSkip, kError };

class FakePolicy : public QueuePolicy {
 public:
  using Gate = std::function<bool(const api::Pod&)>;  // whether the pod passes the gate

  FakePolicy() { AddProfile(kProfile); }

  void AddProfile(std::string_view name) { profiles_.push_back({Id(name), {}}); }
  void RemoveProfile(std::string_view name) {
    std::erase_if(profiles_, [&](const ProfileRegistrations& p) { return p.profile == Id(name); });
  }
  // Hint::kNone registers without a hint function.
  void Register(std::string_view plugin, const api::ClusterEvent& event, Hint hint,
                std::string_view profile = kProfile) {
    for (ProfileRegistrations& p : profiles_) {
      if (p.profile != Id(profile)) continue;
      const uint32_t interest = static_cast<uint32_t>(hints_.size());
      p.registrations.push_back(
          {Id(plugin), std::string(event.resource), event.actions, interest, hint != Hint::kNone});
      hints_.push_back(hint);
    }
  }
  void AddPreEnqueue(std::string_view plugin, Gate gate, std::string_view profile = kProfile) {
    gates_[Id(profile)].emplace_back(Id(plugin), std::move(gate));
  }
  void SetPreEnqueue(std::string_view plugin, Gate gate, std::string_view profile = kProfile) {
    for (auto& [name, old] : gates_[Id(profile)]) {
      if (name == Id(plugin)) old = gate;
    }
  }

  bool Less(const QueuedPod& a, const QueuedPod& b) override {
    if (less) return less(a, b);
    if (a.pod->abi.priority != b.pod->abi.priority) return a.pod->abi.priority > b.pod->abi.priority;
    return a.timestamp < b.timestamp;
  }
  PreEnqueueVerdict PreEnqueue(const api::Pod& pod, base::Id first) override {
    std::vector<std::pair<base::Id, Gate>>& gates = gates_[pod.abi.scheduler_name];
    pre_enqueue_asked.clear();
    for (const bool preferred : {true, false}) {
      for (const auto& [plugin, gate] : gates) {
        if ((plugin == first) != preferred) continue;
        pre_enqueue_asked.push_back(plugin);
        if (!gate(pod)) return {plugin, BERTH_UNRESOLVABLE, "pod name not in allowlists"};
      }
    }
    return {};
  }
  std::vector<ProfileRegistrations> Registrations() const override { return profiles_; }
  int32_t Hints(const HintRequest& request, std::span<uint8_t> queue) override {
    ++hint_calls;
    hinted_pods += request.pods.size();
    const Hint hint = hints_.at(request.interest);
    if (hint == Hint::kError) return BERTH_ERROR;
    for (uint8_t& q : queue) {
      EXPECT_EQ(q, 0);
      q = hint == Hint::kQueue;
    }
    return BERTH_SUCCESS;
  }

  std::function<bool(const QueuedPod&, const QueuedPod&)> less;  // empty = PrioritySort
  size_t hint_calls = 0, hinted_pods = 0;
  std::vector<base::Id> pre_enqueue_asked;  // the plugins that the last PreEnqueue called, in order

 private:
  std::vector<ProfileRegistrations> profiles_;
  std::vector<Hint> hints_;
  std::map<base::Id, std::vector<std::pair<base::Id, Gate>>> gates_;
};

inline FakePolicy::Gate AllowLabels(std::vector<std::string> labels) {
  return [labels = std::move(labels)](const api::Pod& pod) {
    for (const std::string& label : labels) {
      if (HasLabel(pod, label)) return true;
    }
    return false;
  };
}

class FakeLookup : public PodLookup {
 public:
  const api::Pod* FindPod(std::string_view key) const override {
    const auto at = pods.find(key);
    return at == pods.end() ? nullptr : at->second.get();
  }
  void Set(const api::PodRef& pod) { pods[std::string(pod->key())] = pod; }
  std::map<std::string, api::PodRef, std::less<>> pods;
};

class FakeObserver : public QueueObserver {
 public:
  void Incoming(const QueuedPod&, Place place, std::string_view event) override {
    ++incoming[std::string(PlaceLabel(place)) + "," + std::string(event)];
  }
  void UnschedulableReason(base::Id plugin, base::Id, int delta) override {
    unschedulable[std::string(Tables().ids.Text(plugin))] += delta;
  }
  void InFlightEvents(const api::ClusterEvent* event, int delta) override {
    in_flight_events[event != nullptr ? event->Label() : "PodPopped"] += delta;
  }
  void Discarded(const QueuedPod&) override { ++discarded; }

  std::map<std::string, int> incoming, unschedulable, in_flight_events;
  int discarded = 0;
};

class QueueTest : public ::testing::Test {
 protected:
  // Call after the policy is set up.
  SchedulingQueue& Make(const QueueOptions& options = {}) {
    queue_ = std::make_unique<SchedulingQueue>(Tables(), clock, policy, lookup, options, &observer);
    return *queue_;
  }
  void TearDown() override {
    if (queue_ != nullptr) ExpectSound();
  }
  void ExpectSound() {
    const auto checked = queue_->Check();
    EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
  }
  // Returns the pod to the queue, rejected by these plugins; none: an error.
  Place Fail(QueuedPodPtr pod, std::initializer_list<std::string_view> unschedulable,
             std::initializer_list<std::string_view> pending = {}) {
    pod->ClearRejectorPlugins();
    for (std::string_view plugin : unschedulable) pod->unschedulable_plugins.Insert(Id(plugin));
    for (std::string_view plugin : pending) pod->pending_plugins.Insert(Id(plugin));
    const auto place = queue_->AddUnschedulableIfNotPresent(std::move(pod));
    EXPECT_TRUE(place) << (place ? "" : place.error().message);
    return place.value_or(Place::kNone);
  }
  // Add, Pop, Fail.
  Place AddAndFail(const api::PodRef& pod, std::initializer_list<std::string_view> unschedulable,
                   std::initializer_list<std::string_view> pending = {}) {
    queue_->Add(pod);
    QueuedPodPtr popped = queue_->Pop();
    EXPECT_EQ(popped->key(), pod->key());
    return Fail(std::move(popped), unschedulable, pending);
  }
  std::string PopName() {
    QueuedPodPtr pod = queue_->Pop();
    return pod ? std::string(pod->pod->name()) : "";
  }
  Place PlaceOf(const api::PodRef& pod) {
    const QueuedPod* queued = queue_->Find(pod->key());
    return queued == nullptr ? Place::kNone : queued->place();
  }
  std::vector<std::string> NamesIn(Place place) {
    std::vector<std::string> names;
    for (const QueuedPod* pod : queue_->Pending().pods) {
      if (PlaceLabel(pod->place()) == PlaceLabel(place)) names.emplace_back(pod->pod->name());
    }
    return names;
  }
  // "targetpod" for a marker, the label for an event.
  std::vector<std::string> InFlight() {
    std::vector<std::string> entries;
    queue_->in_flight().ForEach([&](const InFlightList::Entry& entry) {
      entries.push_back(entry.marker ? std::string(entry.marker->name()) : entry.event.Label());
    });
    return entries;
  }
  std::vector<std::string> NominatedTo(std::string_view node) {
    std::vector<api::PodRef> pods;
    std::vector<std::string> names;
    queue_->NominatedPodsForNode(node.empty() ? base::kEmptyId : Id(node), pods);
    for (const api::PodRef& pod : pods) names.emplace_back(pod->name());
    return names;
  }
  void Move(const api::ClusterEvent& event) { queue_->MoveAllToActiveOrBackoffQueue(event, {}); }
  void FlushAll() {
    queue_->FlushBackoffCompleted(clock.WallUnixNs());
    queue_->FlushUnschedulableLeftover(clock.WallUnixNs());
  }

  base::VirtualClock clock{kStart};
  FakePolicy policy;
  FakeLookup lookup;
  FakeObserver observer;
  std::unique_ptr<SchedulingQueue> queue_;
};

}  // namespace berth::queue
