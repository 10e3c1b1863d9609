#include "reload/coordinator/newly_quarantined.h"

#include <algorithm>

#include "plugin/loader/rule.h"

namespace berth::reload {
namespace {

bool IsActive(const framework::ProfileSet& active, const framework::QuarantinedPlugin& one) {
  for (const auto& profile : active.profiles) {
    if (profile->scheduler_name() != one.profile) continue;
    for (const auto& instance : profile->instances()) {
      if (instance->name() == one.plugin && instance->library().sha256() == one.sha256) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> NewlyQuarantined(const framework::ProfileSet& active,
                                          const std::vector<framework::QuarantinedPlugin>& wanted) {
  std::vector<std::string> problems;
  for (const framework::QuarantinedPlugin& one : wanted) {
    const bool known = std::any_of(
        active.quarantined.begin(), active.quarantined.end(), [&](const framework::QuarantinedPlugin& before) {
          return before.profile == one.profile && before.plugin == one.plugin && before.sha256 == one.sha256;
        });
    if (known || IsActive(active, one)) continue;
    problems.push_back(one.library + ": " + loader::RuleId(loader::Rule::kQuarantined) + ": " + one.Text());
  }
  return problems;
}

}  // namespace berth::reload
