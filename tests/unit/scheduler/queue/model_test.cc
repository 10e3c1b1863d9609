// Random operations on the queue and on a plain model of it. After each one, both must agree in everything visible, and
// the queue must pass its own check.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "queue_model.h"

namespace berth::queue {
namespace {

constexpr int64_t kMs = base::kMillisecond;

struct Flight {
  QueuedPodPtr pod;
  ModelPod model;
};

class ModelTest : public ::testing::TestWithParam<std::tuple<bool, uint64_t>> {
 protected:
  static constexpr int kSteps = 25'000;
  static constexpr uint64_t kNames = 24;

  ModelTest() : random_(std::get<1>(GetParam())) {
    options_.pop_from_backoff_q = std::get<0>(GetParam());
    options_.pod_max_in_unschedulable_pods_ns = 60 * base::kSecond;
    for (const char* name : {"p0", "p1", "p2", "p3", "gate0", "gate1"}) plugins_.push_back(Id(name));
    policy_.gates = {Id("gate0"), Id("gate1")};
    RandomRegistrations();
    queue_.emplace(Tables(), clock_, policy_, lookup_, options_, &observer_);
    model_.emplace(clock_, policy_, lookup_, options_);
  }

  uint64_t Below(uint64_t n) { return random_.Below(n); }
  bool Chance(uint64_t percent) { return Below(100) < percent; }

  api::ClusterEvent RandomEvent() {
    static const char* const kResources[] = {"Node", "AssignedPod", "UnschedulablePod", "PersistentVolume"};
    if (Chance(6)) return kEventUnschedulableTimeout;
    const uint32_t actions = Chance(20) ? BERTH_ACTION_UPDATE : 1u << Below(13);
    return {kResources[Below(4)], actions, {}};
  }
  void RandomRegistrations() {
    static const char* const kResources[] = {"Node", "Pod", "PersistentVolume", "*"};
    policy_.profiles.clear();
    for (const char* profile : {"default-scheduler", "second"}) {
      policy_.profiles.push_back({Id(profile), {}});
      if (Chance(10)) policy_.profiles.pop_back();  // a profile that is gone
      if (policy_.profiles.empty()) continue;
      for (base::Id plugin : plugins_) {
        for (uint32_t i = 0; i < Below(4); ++i) {
          const uint32_t actions = Chance(30) ? BERTH_ACTION_ALL : static_cast<uint32_t>(1 + Below(BERTH_ACTION_ALL));
          policy_.profiles.back().registrations.push_back({plugin, kResources[Below(4)], actions, i, Chance(80)});
        }
      }
    }
  }
  api::PodRef RandomPod(const std::string& name, const std::string& uid) {
    PodSpec spec{.name = name, .uid = uid, .priority = static_cast<int32_t>(Below(4))};
    if (Chance(30)) spec.label = Chance(50) ? "open" : "other";
    if (Chance(20)) spec.nominated = "node" + std::to_string(Below(3));
    spec.toleration = Chance(20);
    spec.gate = Chance(20);
    if (base::MixText(0, uid) % 3 == 0) spec.profile = "second";
    return MakePod(spec);
  }
  api::PodRef AnyPod() {
    if (lookup_.pods.empty()) return {};
    auto at = lookup_.pods.begin();
    std::advance(at, Below(lookup_.pods.size()));
    return at->second;
  }

  void Create() {
    const std::string name = "pod" + std::to_string(Below(kNames));
    const auto known = lookup_.pods.find("ns1/" + name);
    // Mostly a new object; sometimes the informer reports the same one twice.
    const bool twice = known != lookup_.pods.end() && Chance(30);
    if (known != lookup_.pods.end() && !twice && Chance(90)) {  // usually its deletion is reported first
      queue_->Delete(*known->second);
      model_->Delete(*known->second);
    }
    const api::PodRef pod = twice ? known->second : RandomPod(name, name + "-" + std::to_string(++uids_));
    lookup_.Set(pod);
    queue_->Add(pod);
    model_->Add(pod);
  }
  void Change() {
    const api::PodRef before = AnyPod();
    if (!before) return;
    const api::PodRef after = Chance(20) ? before : RandomPod(std::string(before->name()), std::string(before->uid()));
    lookup_.Set(after);
    queue_->Update(before, after);
    model_->Update(before, after);
  }
  void Remove() {
    const api::PodRef pod = AnyPod();
    if (!pod) return;
    lookup_.pods.erase(std::string(pod->key()));
    queue_->Delete(*pod);
    model_->Delete(*pod);
  }
  void Pop() {
    Flight flight;
    flight.pod = queue_->Pop();
    ASSERT_EQ(static_cast<bool>(flight.pod), model_->Pop(flight.model));
    if (!flight.pod) return;
    ExpectSame(*flight.pod, flight.model);
    flights_.push_back(std::move(flight));
  }
  void Land() {
    if (flights_.empty()) return;
    const auto at = flights_.begin() + static_cast<int64_t>(Below(flights_.size()));
    Flight flight = std::move(*at);
    flights_.erase(at);
    const std::string uid(flight.model.pod->uid());
    if (Chance(15)) {  // bound
      queue_->Done(uid);
      model_->Done(uid);
      if (Chance(70)) return;  // else binding fails
    }
    flight.pod->ClearRejectorPlugins();
    flight.model.unschedulable.clear();
    flight.model.pending.clear();
    flight.model.gating = base::kNoId;
    for (base::Id plugin : plugins_) {
      if (Chance(25)) {
        flight.pod->unschedulable_plugins.Insert(plugin);
        flight.model.unschedulable.insert(plugin);
      }
      if (Chance(8)) {
        flight.pod->pending_plugins.Insert(plugin);
        flight.model.pending.insert(plugin);
      }
    }
    const api::Pod* current = lookup_.FindPod(flight.model.pod->key());
    if (current != nullptr && current->uid() == uid) flight.pod->pod = flight.model.pod = api::PodRef(current);
    const auto place = queue_->AddUnschedulableIfNotPresent(std::move(flight.pod));
    ASSERT_EQ(place.has_value(), model_->AddUnschedulable(flight.model));
  }
  void Activate() {
    const api::PodRef pod = !flights_.empty() && Chance(30) ? flights_.front().model.pod : AnyPod();
    if (!pod) return;
    queue_->Activate({&pod, 1});
    model_->Activate(pod);
  }
  void Move() {
    const api::ClusterEvent event = RandomEvent();
    EventObjects objects;
    if (!event.IsWildcard() && Chance(70)) {
      objects.new_pod = MakePod({.name = "object", .uid = "object" + std::to_string(Below(50))});
    }
    const bool limited = Chance(15);
    const int32_t limit = limited ? static_cast<int32_t>(Below(4)) : 100;
    SchedulingQueue::PreCheck check;
    if (limited) check = [limit](const api::Pod& pod) { return pod.abi.priority <= limit; };
    queue_->MoveAllToActiveOrBackoffQueue(event, objects, check);
    model_->Move(event, objects, limit);
  }
  void PassTime() {
    const auto timer = queue_->NextTimer();
    if (timer && Chance(20)) {
      clock_.Advance(*timer - clock_.WallUnixNs());
    } else {
      clock_.Advance(static_cast<int64_t>(Below(Chance(10) ? 20'000 : 900)) * kMs);
    }
    const int64_t now = clock_.WallUnixNs();
    if (Chance(80)) {
      queue_->FlushBackoffCompleted(now);
      model_->FlushBackoff(now);
    }
    if (Chance(50)) {
      queue_->FlushUnschedulableLeftover(now);
      model_->FlushLeftover(now);
    }
  }
  void Nominate() {
    const api::PodRef pod = AnyPod();
    if (!pod) return;
    if (Chance(30)) {
      queue_->DeleteNominatedPodIfExists(pod->uid());
      model_->DeleteNominated(pod->uid());
      return;
    }
    NominatingInfo info;
    if (Chance(70))
      info = {NominatingMode::kOverride, Chance(20) ? base::kNoId : Id("node" + std::to_string(Below(3)))};
    queue_->AddNominatedPod(pod, info);
    model_->Nominate(pod, info);
  }
  void ChangePlugins() {
    const base::Id gate = policy_.gates[Below(policy_.gates.size())];
    if (!policy_.closed.erase(gate)) policy_.closed.insert(gate);
    if (Chance(30)) {
      RandomRegistrations();
      queue_->RebuildRegistrations();
    }
    if (Chance(30)) {
      policy_.ascending = !policy_.ascending;
      queue_->ResortActive();
    }
    if (Chance(5)) {
      queue_->Close();
      model_->Close();
    }
  }
  void Step() {
    const uint64_t r = Below(100);
    if (r < 14) return Create();
    if (r < 24) return Change();
    if (r < 29) return Remove();
    if (r < 49) return Pop();
    if (r < 69) return Land();
    if (r < 73) return Activate();
    if (r < 85) return Move();
    if (r < 93) return PassTime();
    if (r < 98) return Nominate();
    ChangePlugins();
  }

  static std::set<base::Id> SetOf(const PluginSet& plugins) { return {plugins.begin(), plugins.end()}; }
  void ExpectSame(const QueuedPod& real, const ModelPod& model) {
    ASSERT_EQ(real.pod, model.pod);
    ASSERT_EQ(real.timestamp, model.timestamp);
    ASSERT_EQ(real.initial_attempt_timestamp, model.initial);
    ASSERT_EQ(real.attempts, model.attempts);
    ASSERT_EQ(real.unschedulable_count, model.unschedulable_count);
    ASSERT_EQ(real.consecutive_errors_count, model.errors);
    ASSERT_EQ(real.was_flushed_from_unschedulable, model.flushed);
    ASSERT_EQ(SetOf(real.unschedulable_plugins), model.unschedulable);
    ASSERT_EQ(SetOf(real.pending_plugins), model.pending);
    ASSERT_EQ(real.gating_plugin, model.gating);
  }
  void ExpectSamePlace(Place place, const QueueModel::Pods& pods) {
    for (const auto& [key, pod] : pods) {
      const QueuedPod* real = queue_->Find(key);
      ASSERT_NE(real, nullptr) << key;
      ASSERT_EQ(real->place(), place) << key;
      ASSERT_NO_FATAL_FAILURE(ExpectSame(*real, pod)) << key;
      if (place == Place::kBackoff || place == Place::kErrorBackoff) {
        ASSERT_EQ(real->backoff_expiration, model_->Expiration(pod)) << key;
      }
    }
  }
  void ExpectSameFlights() {
    size_t i = 0;
    queue_->in_flight().ForEach([&](const InFlightList::Entry& entry) {
      if (i >= model_->in_flight.size()) return void(++i);
      const QueueModel::InFlight& want = model_->in_flight[i++];
      EXPECT_EQ(entry.marker ? entry.marker->uid() : "", want.marker);
      if (entry.marker) return;
      EXPECT_EQ(entry.event.resource, want.event.resource);
      EXPECT_EQ(entry.event.actions, want.event.actions);
      EXPECT_EQ(entry.objects.new_pod, want.objects.new_pod);
    });
    ASSERT_EQ(i, model_->in_flight.size());
  }
  void ExpectSameNominations() {
    ASSERT_EQ(queue_->nominator().size(), model_->nominated.size());
    std::map<std::string, std::vector<std::string>> by_node;
    for (const auto& [uid, node] : model_->nominated) by_node[node].push_back(uid);
    for (const auto& [node, uids] : by_node) {
      std::vector<std::string> real;
      queue_->nominator().ForEachOn(Id(node), [&](const api::PodRef& pod) { real.emplace_back(pod->uid()); });
      ASSERT_EQ(real, uids) << node;
    }
  }
  static std::map<std::string, int> NonZero(const std::map<std::string, int>& counters) {
    std::map<std::string, int> kept;
    for (const auto& [name, n] : counters) {
      if (n != 0) kept[name] = n;
    }
    return kept;
  }
  void ExpectAgreement() {
    const auto checked = queue_->Check();
    ASSERT_TRUE(checked) << checked.error().message;
    ASSERT_EQ(queue_->scheduling_cycle(), model_->cycle);
    const size_t gated =
        static_cast<size_t>(std::count_if(model_->unschedulable.begin(), model_->unschedulable.end(),
                                          [](const auto& p) { return p.second.gating != base::kNoId; }));
    const QueueCounts counts = queue_->counts();
    ASSERT_EQ(counts.active, model_->active.size());
    ASSERT_EQ(counts.backoff, model_->backoff.size() + model_->error_backoff.size());
    ASSERT_EQ(counts.gated, gated);
    ASSERT_EQ(counts.unschedulable, model_->unschedulable.size() - gated);
    ASSERT_NO_FATAL_FAILURE(ExpectSamePlace(Place::kActive, model_->active));
    ASSERT_NO_FATAL_FAILURE(ExpectSamePlace(Place::kBackoff, model_->backoff));
    ASSERT_NO_FATAL_FAILURE(ExpectSamePlace(Place::kErrorBackoff, model_->error_backoff));
    ASSERT_NO_FATAL_FAILURE(ExpectSamePlace(Place::kUnschedulable, model_->unschedulable));
    ASSERT_NO_FATAL_FAILURE(ExpectSameFlights());
    ASSERT_NO_FATAL_FAILURE(ExpectSameNominations());
  }
  // Slow, and a difference persists, so it need not run after every step.
  void ExpectSameCounters() {
    ASSERT_EQ(NonZero(observer_.incoming), NonZero(model_->incoming));
    ASSERT_EQ(NonZero(observer_.unschedulable), NonZero(model_->unschedulable_reason));
  }

  base::Random random_;
  base::VirtualClock clock_{kStart + 123 * kMs};
  QueueOptions options_;
  PurePolicy policy_;
  FakeLookup lookup_;
  FakeObserver observer_;
  std::vector<base::Id> plugins_;
  std::optional<SchedulingQueue> queue_;
  std::optional<QueueModel> model_;
  std::deque<Flight> flights_;
  int uids_ = 0;
};

TEST_P(ModelTest, TheQueueAgreesWithThePlainModel) {
  size_t most_parked = 0, most_flying = 0;
  for (int step = 0; step < kSteps; ++step) {
    ASSERT_NO_FATAL_FAILURE(Step()) << "step " << step;
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement()) << "step " << step;
    if (step % 100 == 0) {
      ASSERT_NO_FATAL_FAILURE(ExpectSameCounters()) << "step " << step;
    }
    most_parked = std::max(most_parked, model_->unschedulable.size());
    most_flying = std::max(most_flying, flights_.size());
  }
  EXPECT_GT(most_parked, 5u);  // otherwise the test is ineffective
  EXPECT_GT(most_flying, 3u);
  EXPECT_GE(observer_.incoming.size(), 12u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ModelTest,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{4})),
                         [](const auto& param) {
                           return std::string(std::get<0>(param.param) ? "PopFromBackoffQ" : "NoPopFromBackoffQ") +
                                  std::to_string(std::get<1>(param.param));
                         });

}  // namespace
}  // namespace berth::queue
