// A scheduler whose profile has the policy plugins of one case, loaded from their libraries, and a cluster of recorded
// objects. The test calls the extension points one by one, in a cycle that starts with Begin. Callers: the tests of
// this folder. Thread: one test.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "recorded.h"
#include "scheduler/bind/executor.h"
#include "scheduler/cycle/scheduling_cycle.h"
#include "scheduler/engine/engine.h"
#include "scheduler/framework/plugin_queue_policy.h"
#include "simulator/simulation/api_server.h"
#include "simulator/simulation/virtual_cluster.h"

namespace berth::upstream {

class OnePlugin {
 public:
  // Creates the case's nodes and objects. Aborts the program if the configuration is invalid, a library cannot be
  // loaded, or an object cannot be decoded.
  explicit OnePlugin(const Case& c);
  ~OnePlugin();

  api::PodRef MakePod(json::Value pod);  // without a name: "incoming"
  api::NodeRef MakeNode(json::Value node);
  // node: the name of an existing node, or a manifest, which is added with its pods unless it exists. Returns its name.
  std::string AddNode(const json::Value& node, const json::Array& pods);
  void AddObject(const json::Value& object);
  size_t n_nodes() const { return added_.size(); }
  // Delivers the added objects to the plugins.
  void Settle();

  // ---- one cycle
  void Begin(api::PodRef pod);
  plugin::Status PreFilter();
  bool PreFilterSkipped();  // by the case's plugin
  bool PreFilterRejected() const { return pre_status_ && !pre_status_->ok(); }
  std::set<std::string> Candidates();                                          // to which PreFilter limits the pod
  bool narrowed() const { return pre_filter_.narrowed(); }                     // by any plugin
  plugin::Status Filter();                                                     // of every node
  plugin::Status FilterOf(std::string_view node);                              // in its trial, if it has one
  plugin::Status ChangePod(std::string_view node, bool add, json::Value pod);  // opens a trial
  framework::PostFilterResult PostFilter();
  plugin::Status Reserve(std::string_view node);  // assumed objects stay assumed
  // Scores these nodes. `scores` receives the contribution of the case's plugin, or nothing if it skipped.
  plugin::Status Score(const std::vector<std::string>& nodes, std::map<std::string, int64_t>& scores);

  // A whole attempt in the host's own scheduling cycle.
  cycle::CycleResult Choose(const api::Pod& pod);

  framework::ProfileQueuePolicy& policy() { return *policy_; }
  framework::Profile& profile() { return *profiles_->profiles.front(); }
  api::InternTables& intern() { return intern_; }
  base::Id plugin_id() const { return plugin_id_.get(); }
  cache::Cache& cache() { return engine_.cache(); }
  engine::Engine& engine() { return engine_; }
  simulation::Cluster& cluster() { return cluster_; }
  simulation::ApiServer& api() { return api_; }

 private:
  void End();
  uint32_t RowOf(std::string_view node);
  framework::CycleContext Context(cycle::RecordNodes record = cycle::RecordNodes::kNone);
  framework::TrialGround Ground();

  api::InternTables intern_;
  base::OwnedId plugin_id_;
  base::TickingClock clock_{1'767'225'600 * base::kSecond};
  bind::InlineExecutor executor_;
  simulation::Cluster cluster_{intern_};
  simulation::ApiServer api_{cluster_};
  engine::Engine engine_;
  std::shared_ptr<const framework::ProfileSet> profiles_;
  std::unique_ptr<framework::ProfileQueuePolicy> policy_;
  plugin::ReasonTable reasons_;

  api::PodRef pod_;  // of the cycle; null outside of one
  berth_cycle cycle_;
  framework::PreFilterRun pre_filter_{cache()};
  framework::FilterRun filter_{cache(), reasons_, nullptr};
  framework::ScoreRun score_{cache(), nullptr};
  framework::Trials trials_{cache(), reasons_};
  framework::NominatedPods nobody_;
  std::optional<plugin::Status> pre_status_;
  bool filtered_ = false;
  plugin::Status filter_status_;                // once filtered_
  std::map<uint32_t, framework::Trial*> open_;  // by row
  std::vector<api::PodRef> changed_;            // by trials
  std::unique_ptr<cycle::SchedulingCycle> chooser_;

  std::vector<std::pair<std::string, std::string>> added_;  // node and its pods as text -> name
  std::set<std::string> uids_;                              // of pods that were added with nodes
  size_t n_pods_ = 0, n_objects_ = 0;
};

}  // namespace berth::upstream
