// A scheduler whose profile has one policy plugin, loaded from its library, and a cluster out of recorded objects.
// Callers: the tests of this folder. Thread: one test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assembly/policy.h"
#include "base/clock.h"
#include "cycle/scheduling_cycle.h"
#include "framework/queue_policy.h"
#include "recorded.h"

namespace berth::upstream {

enum class Points : uint8_t { kVerdicts, kScores };  // with its filters and without score, or the other way round

class OnePlugin {
 public:
  // Aborts the program when the configuration is refused or the library cannot be loaded.
  OnePlugin(const Case& c, Points points);

  api::PodRef MakePod(json::Value pod);  // without a name: "incoming"
  api::NodeRef MakeNode(json::Value node);
  // Adds the node unless the same is there; pods come onto it under names of their own. The answer is its name.
  std::string AddNode(json::Value node, const json::Array& pods);
  size_t n_nodes() const { return cache_.n_nodes(); }

  cycle::CycleResult Choose(const api::Pod& pod);
  framework::ProfileQueuePolicy& policy() { return *policy_; }
  framework::Profile& profile() { return *profiles_->profiles.front(); }
  api::Vocabulary& words() { return words_; }
  base::Id plugin_id() const { return plugin_id_.get(); }

 private:
  api::Vocabulary words_;
  base::OwnedId plugin_id_;
  cache::Cache cache_{words_};
  plugin::Services services_{words_};
  base::TickingClock clock_{1'767'225'600 * base::kSecond};
  std::shared_ptr<framework::ProfileSet> profiles_;
  std::unique_ptr<framework::ProfileQueuePolicy> policy_;
  std::unique_ptr<queue::SchedulingQueue> queue_;
  plugin::ReasonTable reasons_;
  std::unique_ptr<cycle::SchedulingCycle> cycle_;
  std::vector<std::pair<std::string, std::string>> added_;  // node and its pods as text -> name
  size_t n_pods_ = 0;
};

}  // namespace berth::upstream
