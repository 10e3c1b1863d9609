// The answers of a running scheduler: /configz says what its policy is, and it computes from its own records.
#include "base/text.h"
#include "cmd/berthctl/admin/admin_connection.h"
#include "cmd/berthctl/policy_diff/diff_sources.h"
#include "cmd/berthctl/policy_diff/profile_change.h"
#include "config/configuration/print.h"

namespace berth::ctl {
namespace {

base::Result<json::Value> ConfigurationOf(const AdminConnection& scheduler) {
  auto answer = Ask(scheduler, "/configz");
  if (!answer) return tl::unexpected(answer.error());
  json::Value* found = answer->value.is_object() ? answer->value.Find("componentconfig") : nullptr;
  if (found == nullptr || !found->is_object()) return base::Fail(scheduler.name + "/configz answered no configuration");
  return std::move(*found);
}

base::Result<json::Value> DiffFrom(const AdminConnection& scheduler, const json::Value& body) {
  static constexpr const char* kPath = "/admin/v1/policy/diff";
  auto answer =
      Ask(scheduler,
          http::Request{.method = "POST", .path = kPath, .body = json::Dump(body), .content_type = "application/json"});
  if (!answer) return tl::unexpected(answer.error());
  if (!answer->value.is_object() || json::TextAt(answer->value, "kind") != "PolicyDiff") {
    return base::Fail(scheduler.name + kPath + " answered no PolicyDiff");
  }
  return std::move(answer->value);
}

bool SameExtenders(const json::Value& before, const config::Configuration& after) {
  const json::Value then = config::ValueV1(after);
  const json::Value *was = before.Find("extenders"), *is = then.Find("extenders");
  if (was == nullptr || is == nullptr) return was == is;
  return *was == *is;
}

const config::ExpandedProfile* FindExpanded(const std::vector<config::ExpandedProfile>& profiles,
                                            const std::string& name) {
  for (const config::ExpandedProfile& one : profiles) {
    if (one.scheduler_name == name) return &one;
  }
  return nullptr;
}

const config::Profile& ProfileNamed(const config::Configuration& configuration, const std::string& name) {
  size_t i = 0;
  while (configuration.profiles[i].scheduler_name != name) ++i;
  return configuration.profiles[i];
}

}  // namespace

std::string Unknowable(const std::string& profile, const std::vector<std::string>& differences) {
  return "profile \"" + profile +
         "\": recorded decisions cannot show what this does: " + base::Join(differences, "; ") +
         ". Simulate it: berthctl policy diff --old OLD --config NEW -f MANIFESTS";
}

base::Result<DiffResult> DiffOfRunning(const AdminConnection& scheduler, const assembly::Policy& after,
                                       const RecordsQuestion& question) {
  const auto configuration = ConfigurationOf(scheduler);
  if (!configuration) return tl::unexpected(configuration.error());
  const auto before = PolicyFromConfigz(scheduler.name + "/configz", *configuration, *after.catalog);
  if (!before) return tl::unexpected(before.error());
  // As /configz shows it: v1, without what an old version names and no library provides.
  const auto then = PolicyFromConfigz("the new configuration", config::ValueV1(after.config.scheduler), *after.catalog);
  if (!then) return tl::unexpected(then.error());
  const bool same_extenders = SameExtenders(*configuration, after.config.scheduler);
  DiffResult out;
  for (const config::ExpandedProfile& was : before->profiles) {
    const std::string& name = was.scheduler_name;
    if (!question.profile.empty() && name != question.profile) continue;
    const config::ExpandedProfile* is = FindExpanded(then->profiles, name);
    if (is == nullptr) return base::Fail("profile \"" + name + "\" is gone: nothing would schedule its pods");
    ProfileChange change = Compare({before->configuration, ProfileNamed(before->configuration, name), was},
                                   {then->configuration, ProfileNamed(then->configuration, name), *is});
    if (!same_extenders) change.unknowable.emplace_back("the extenders differ");
    if (!change.unknowable.empty()) return base::Fail(Unknowable(name, change.unknowable));
    auto diff = DiffFrom(scheduler, RequestJson(name, change, question.limit));
    if (!diff) return tl::unexpected(diff.error());
    out.diffs.push_back(*std::move(diff));
    for (const std::string& notice : change.notices) out.notices.push_back("profile \"" + name + "\": " + notice);
  }
  for (const config::ExpandedProfile& is : then->profiles) {
    if (FindExpanded(before->profiles, is.scheduler_name) != nullptr) continue;
    out.notices.push_back("profile \"" + is.scheduler_name + "\" is new: it has no decisions yet");
  }
  if (out.diffs.empty()) return base::Fail("the scheduler has no profile \"" + question.profile + "\"");
  return out;
}

}  // namespace berth::ctl
