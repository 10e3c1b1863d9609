// A profile: the plugins of one schedulerName, in the order in which they run at every extension point. A profile does
// not change after Build. A set of profiles is one generation of the policy, which is published as a whole.
// Source: frameworkImpl in pkg/scheduler/framework/runtime/framework.go; pkg/scheduler/profile/profile.go.
//
// Thread: built on any thread; used by the scheduling thread and, at the binding points, by binding threads.
// Ownership: an attempt holds the set that it started with, so an old generation lives until it has drained.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plugin/instance/cycle.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/point.h"
#include "scheduler/framework/block_totals.h"
#include "scheduler/framework/extender.h"
#include "scheduler/framework/kept_entries.h"
#include "scheduler/framework/live_settings.h"
#include "scheduler/framework/profile_times.h"
#include "scheduler/queue/queue_policy.h"

namespace berth::framework {

struct PointEntry {
  std::string plugin;
  int64_t weight = 0;  // of Score; defaults are applied, so 0 and unset are 1
};

// The input of Build: names are resolved and args are valid.
struct ProfileSpec {
  std::string scheduler_name;
  int32_t percentage_of_nodes_to_score = 0;   // 0 = score every feasible node
  std::vector<plugin::InstanceSpec> plugins;  // one per plugin name
  std::array<std::vector<PointEntry>, plugin::kPoints> points;
  bool has_extenders = false;    // whether the profile set has extenders
  bool recreate_faulty = false;  // instances with faults do not prepare a successor (berth/draft/succession.h)
};

class Profile {
 public:
  // Creates and activates the instances and reads their event registrations. After an error no instance is left.
  // before: the profile that this one replaces, or null. This profile continues to use the instances of before whose
  // library, name, args, and fault policy are the same, with their kept results; other instances of before can prepare
  // their successors.
  static base::Result<std::shared_ptr<Profile>> Build(ProfileSpec spec, plugin::Services& services,
                                                      const Profile* before = nullptr);

  const std::string& scheduler_name() const { return scheduler_name_; }
  base::Id scheduler_name_id() const { return scheduler_name_id_.get(); }
  int32_t percentage_of_nodes_to_score() const { return percentage_of_nodes_to_score_; }

  plugin::InstanceList instances() const { return instances_; }
  bool Has(const plugin::Instance* instance) const;
  // Greater than the index() of every instance.
  size_t slots() const { return slots_; }
  const std::vector<plugin::Instance*>& At(plugin::Point point) const { return at_[static_cast<size_t>(point)]; }
  int64_t ScoreWeight(size_t i) const { return weights_[i]; }           // of At(kScore)[i]
  plugin::Instance* Find(base::Id plugin_name) const;                   // null if the profile has no such plugin
  std::shared_ptr<plugin::Instance> Share(base::Id plugin_name) const;  // the same

  // The unschedulable plugin of pods that an extender rejected (kExtenderName); kNoId without extenders.
  base::Id extender_name_id() const { return extender_name_.get(); }

  // The plugins that AddPod and RemovePod call in a trial: those of PreFilter in its order, then those of Filter.
  const std::vector<plugin::Instance*>& pod_change() const { return pod_change_; }

  // In plugin order. Plugins without an events table are registered for all events, and so are extenders. A plugin that
  // registers for NodeAdd also gets UpdateNodeTaint. Source: buildQueueingHintMap in pkg/scheduler/scheduler.go.
  const std::vector<queue::Registration>& registrations() const { return registrations_; }

  // Kept results, by index in At(kFilter) and At(kScore). Scheduling thread.
  KeptVerdicts& kept_verdicts(size_t i) { return *kept_verdicts_[i]; }
  KeptScores& kept_scores(size_t i) { return *kept_scores_[i]; }
  // Sums of kept scores. Scheduling thread.
  KeptTotals& kept_totals() { return kept_totals_; }

  // Durations since the last collection; never null.
  ProfileTimes& times() const { return *times_; }
  std::shared_ptr<ProfileTimes> shared_times() const { return times_; }
  // Of all instances, for the records of decisions.
  const std::shared_ptr<const decisions::PluginVersions>& plugin_versions() const { return plugin_versions_; }

 private:
  Profile() = default;
  base::Result<void> CreateInstances(std::vector<plugin::InstanceSpec> specs, plugin::Services& services,
                                     const Profile* before, bool recreate_faulty);
  void NumberInstances(const Profile* before);
  void TakeKept(plugin::Services& services, const Profile* before);
  base::Result<void> FillPoints(const ProfileSpec& spec);
  base::Result<void> ReadRegistrations(const Profile* before);
  void PrepareTimes();
  void NoteVersions();
  void RegisterForEverything(base::Id plugin);

  std::string scheduler_name_;
  base::OwnedId scheduler_name_id_, extender_name_;
  int32_t percentage_of_nodes_to_score_ = 0;
  std::vector<std::shared_ptr<plugin::Instance>> instances_;
  std::array<std::vector<plugin::Instance*>, plugin::kPoints> at_;
  std::vector<plugin::Instance*> pod_change_;
  std::vector<int64_t> weights_;
  std::vector<queue::Registration> registrations_;
  size_t slots_ = 0;
  std::vector<std::shared_ptr<KeptVerdicts>> kept_verdicts_;
  std::vector<std::shared_ptr<KeptScores>> kept_scores_;
  KeptTotals kept_totals_;
  std::shared_ptr<ProfileTimes> times_;
  std::shared_ptr<const decisions::PluginVersions> plugin_versions_;
};

using ExtenderList = std::vector<std::shared_ptr<framework::Extender>>;

// A plugin of a profile whose library is quarantined, so that no instance of it is created.
struct QuarantinedPlugin {
  std::string profile, plugin;
  std::string library, version, sha256;
  std::string why;        // "is in quarantine since ..."
  bool optional = false;  // whether the profile runs without the plugin; if not, the profile schedules no pods
  std::string Text() const;
};

// One generation of policy.
struct ProfileSet {
  uint64_t generation = 1;
  ExtenderList extenders;                          // of all profiles, in the order of the calls
  std::vector<std::shared_ptr<Profile>> profiles;  // configuration order; never empty
  std::vector<QuarantinedPlugin> quarantined;      // configured, and left out
  std::optional<LiveSettings> settings;            // take effect together with the profiles; unset: nothing changes

  Profile* Find(base::Id scheduler_name) const {
    for (const auto& profile : profiles) {
      if (profile->scheduler_name_id() == scheduler_name) return profile.get();
    }
    return nullptr;
  }
};

}  // namespace berth::framework
