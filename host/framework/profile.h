// A profile: the plugins of one schedulerName, in running order at every extension point. Immutable once built; a set
// of profiles is one generation of the scheduler's policy and is used, or replaced, as a whole.
//
// Thread: built on any thread; used by the scheduling thread and, for the binding points, by binding threads.
// Ownership: attempts hold the set they started with, so an old generation lives until its last pod is bound.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "extender/extender.h"
#include "framework/reuse.h"
#include "plugin/cycle.h"
#include "plugin/instance.h"
#include "plugin/point.h"
#include "queue/policy.h"

namespace berth::framework {

struct PointEntry {
  std::string plugin;
  int64_t weight = 0;  // score only; what upstream would use (0 or unset has become 1)
};

// What a profile is made of, names resolved and args judged.
struct ProfileSpec {
  std::string scheduler_name;
  int32_t percentage_of_nodes_to_score = 0;   // 0 = score every feasible node
  std::vector<plugin::InstanceSpec> plugins;  // one per plugin name
  std::array<std::vector<PointEntry>, plugin::kPoints> points;
  bool has_extenders = false;  // the set that it is for
  bool anew = false;           // instances that have failed prepare no successor (berth/draft/succession.h)
};

class Profile {
 public:
  // Creates and activates every instance, reads its event registrations. On error nothing is left behind. before: the
  // profile that this one is to take the place of, or null; its instances whose library, name, args and fault policy
  // are the same go on in this one, with what was kept of their answers, and others may prepare their successors.
  static base::Result<std::shared_ptr<Profile>> Build(ProfileSpec spec, plugin::Services& services,
                                                      const Profile* before = nullptr);

  const std::string& scheduler_name() const { return scheduler_name_; }
  base::Id scheduler_name_id() const { return scheduler_name_id_.get(); }
  int32_t percentage_of_nodes_to_score() const { return percentage_of_nodes_to_score_; }

  plugin::InstanceList instances() const { return instances_; }
  bool Has(const plugin::Instance* instance) const;
  // Every Instance::index() here is below.
  size_t slots() const { return slots_; }
  const std::vector<plugin::Instance*>& At(plugin::Point point) const { return at_[static_cast<size_t>(point)]; }
  int64_t ScoreWeight(size_t i) const { return weights_[i]; }           // of At(kScore)[i]
  plugin::Instance* Find(base::Id plugin_name) const;                   // nullptr when the profile has no such plugin
  std::shared_ptr<plugin::Instance> Share(base::Id plugin_name) const;  // likewise

  // Under which pods are kept that an extender has rejected; kNoId without extenders.
  base::Id extender_name_id() const { return extender_name_.get(); }

  // Who is told of pods that come to a row or leave it in a trial: plugins of PreFilter, in its order, then of Filter.
  const std::vector<plugin::Instance*>& pod_change() const { return pod_change_; }

  // In plugin order; plugins without an events table are registered for everything, as extenders are together, and
  // whoever wants NodeAdd also gets UpdateNodeTaint (core.md 2.6).
  const std::vector<queue::Registration>& registrations() const { return registrations_; }

  // Kept results, by index in At(kFilter) and At(kScore). Scheduling thread.
  KeptVerdicts& kept_verdicts(size_t i) { return *kept_verdicts_[i]; }
  KeptScores& kept_scores(size_t i) { return *kept_scores_[i]; }

 private:
  Profile() = default;
  base::Result<void> CreateInstances(std::vector<plugin::InstanceSpec> specs, plugin::Services& services,
                                     const Profile* before, bool anew);
  void NumberInstances(const Profile* before);
  void TakeKept(plugin::Services& services, const Profile* before);
  base::Result<void> FillPoints(const ProfileSpec& spec);
  base::Result<void> ReadRegistrations(const Profile* before);
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
};

using ExtenderList = std::vector<std::shared_ptr<extender::Extender>>;

// A plugin that a profile should have and that must not be made: its library is in quarantine.
struct Barred {
  std::string profile, plugin;
  std::string library, version, sha256;
  std::string why;        // "is in quarantine since ..."
  bool optional = false;  // the profile does without it; otherwise it is not served
  std::string Text() const;
};

// One generation of policy.
struct ProfileSet {
  uint64_t generation = 1;
  ExtenderList extenders;                          // of all profiles, in the order in which they are asked
  std::vector<std::shared_ptr<Profile>> profiles;  // configuration order; never empty
  std::vector<Barred> barred;                      // what is missing of what was configured

  Profile* Find(base::Id scheduler_name) const {
    for (const auto& profile : profiles) {
      if (profile->scheduler_name_id() == scheduler_name) return profile.get();
    }
    return nullptr;
  }
};

}  // namespace berth::framework
