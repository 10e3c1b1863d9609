#include "swap/barred.h"

#include <algorithm>

#include "loader/rule.h"

namespace berth::swap {
namespace {

bool IsInForce(const framework::ProfileSet& in_force, const framework::Barred& one) {
  for (const auto& profile : in_force.profiles) {
    if (profile->scheduler_name() != one.profile) continue;
    for (const auto& instance : profile->instances()) {
      if (instance->name() == one.plugin && instance->library().sha256() == one.sha256) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> NewlyBarred(const framework::ProfileSet& in_force,
                                     const std::vector<framework::Barred>& wanted) {
  std::vector<std::string> problems;
  for (const framework::Barred& one : wanted) {
    const bool known =
        std::any_of(in_force.barred.begin(), in_force.barred.end(), [&](const framework::Barred& before) {
          return before.profile == one.profile && before.plugin == one.plugin && before.sha256 == one.sha256;
        });
    if (known || IsInForce(in_force, one)) continue;
    problems.push_back(one.library + ": " + loader::RuleId(loader::Rule::kQuarantined) + ": " + one.Text());
  }
  return problems;
}

}  // namespace berth::swap
