#include "reload/coordinator/policy_changes.h"

#include <algorithm>

namespace berth::reload {
namespace {

using framework::Profile;
using framework::ProfileSet;

constexpr size_t kDigestShown = 12;

bool IsAt(const Profile& profile, plugin::Point point, base::Id name) {
  const auto& at = profile.At(point);
  return std::any_of(at.begin(), at.end(), [&](const plugin::Instance* i) { return i->name_id() == name; });
}

std::string WhatOfInstance(const plugin::Instance& before, const plugin::Instance& after) {
  const loader::Library &old = before.library(), &now = after.library();
  if (old.sha256() != now.sha256()) {
    return "library " + now.path() + " version " + now.version() + " sha256 " + now.sha256().substr(0, kDigestShown) +
           ", was version " + old.version() + " sha256 " + old.sha256().substr(0, kDigestShown);
  }
  return before.args() == after.args() ? "created again" : "args";
}

void ComparePlugin(const Profile& before, const Profile& after, const plugin::Instance& now, const std::string& where,
                   std::vector<std::string>& out) {
  const plugin::Instance* old = before.Find(now.name_id());
  const std::string who = where + "plugin " + now.name() + ": ";
  if (old == nullptr) {
    out.push_back(who + "enabled, library " + now.library().path() + " version " + now.library().version());
    return;
  }
  if (old != &now) out.push_back(who + WhatOfInstance(*old, now));
  for (size_t p = 0; p < plugin::kPoints; ++p) {
    const auto point = static_cast<plugin::Point>(p);
    const bool was = IsAt(before, point, now.name_id()), is = IsAt(after, point, now.name_id());
    if (was != is) out.push_back(who + (is ? "enabled at " : "disabled at ") + std::string(plugin::ConfigName(point)));
  }
}

void CompareWeights(const Profile& before, const Profile& after, const std::string& where,
                    std::vector<std::string>& out) {
  const auto &old = before.At(plugin::Point::kScore), &now = after.At(plugin::Point::kScore);
  for (size_t i = 0; i < now.size(); ++i) {
    for (size_t j = 0; j < old.size(); ++j) {
      if (old[j]->name_id() != now[i]->name_id() || before.ScoreWeight(j) == after.ScoreWeight(i)) continue;
      out.push_back(where + "plugin " + now[i]->name() + ": weight " + std::to_string(after.ScoreWeight(i)) + ", was " +
                    std::to_string(before.ScoreWeight(j)));
    }
  }
}

// Points where the same plugins run in another order.
void CompareOrder(const Profile& before, const Profile& after, const std::string& where,
                  std::vector<std::string>& out) {
  for (size_t p = 0; p < plugin::kPoints; ++p) {
    const auto point = static_cast<plugin::Point>(p);
    const auto &old = before.At(point), &now = after.At(point);
    const auto same_name = [](const plugin::Instance* a, const plugin::Instance* b) {
      return a->name_id() == b->name_id();
    };
    const bool same = std::equal(old.begin(), old.end(), now.begin(), now.end(), same_name);
    if (!same && std::is_permutation(old.begin(), old.end(), now.begin(), now.end(), same_name)) {
      out.push_back(where + "different order at " + std::string(plugin::ConfigName(point)));
    }
  }
}

void CompareProfile(const Profile& before, const Profile& after, std::vector<std::string>& out) {
  const std::string where = "profile " + after.scheduler_name() + ": ";
  for (const auto& instance : after.instances()) ComparePlugin(before, after, *instance, where, out);
  for (const auto& instance : before.instances()) {
    if (after.Find(instance->name_id()) == nullptr) out.push_back(where + "plugin " + instance->name() + ": disabled");
  }
  CompareWeights(before, after, where, out);
  CompareOrder(before, after, where, out);
  const int32_t was = before.percentage_of_nodes_to_score(), is = after.percentage_of_nodes_to_score();
  if (was != is) {
    out.push_back(where + "percentageOfNodesToScore " + std::to_string(is) + ", was " + std::to_string(was));
  }
}

}  // namespace

std::vector<std::string> ChangesBetween(const ProfileSet& before, const ProfileSet& after) {
  std::vector<std::string> out;
  for (const auto& profile : after.profiles) {
    const Profile* old = before.Find(profile->scheduler_name_id());
    if (old == nullptr) {
      out.push_back("profile " + profile->scheduler_name() + ": added");
    } else {
      CompareProfile(*old, *profile, out);
    }
  }
  for (const auto& profile : before.profiles) {
    if (after.Find(profile->scheduler_name_id()) == nullptr) {
      out.push_back("profile " + profile->scheduler_name() + ": removed");
    }
  }
  return out;
}

}  // namespace berth::reload
