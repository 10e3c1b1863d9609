// The answers of a running scheduler: /configz says what its policy is, and it computes from its own records.
#include <chrono>

#include "base/text.h"
#include "cmd/berthctl/admin/admin_client.h"
#include "cmd/berthctl/policy_diff/diff_sources.h"
#include "cmd/berthctl/policy_diff/profile_change.h"
#include "config/configuration/print.h"

namespace berth::ctl {
namespace {

constexpr std::chrono::seconds kTimeout{30};

class Running {
 public:
  Running(std::unique_ptr<http::RestClient> client, std::string url)
      : client_(std::move(client)), url_(std::move(url)) {}

  base::Result<json::Value> Send(const http::Request& request) {
    const http::Reply reply = client_->SendAndWait(request);
    if (reply.status == 0) return base::Fail(reply.error);
    if (!reply.ok()) {
      return base::Fail(url_ + request.path + " answered " + std::to_string(reply.status) + ": " +
                        reply.body.substr(0, reply.body.find('\n')));
    }
    return json::Parse(reply.body);
  }
  base::Result<json::Value> Configuration() {
    auto answer = Send({.path = "/configz"});
    if (!answer) return answer;
    json::Value* found = answer->Find("componentconfig");
    if (found == nullptr) return base::Fail(url_ + "/configz answered no configuration");
    return std::move(*found);
  }
  base::Result<json::Value> Diff(const json::Value& body) {
    return Send({.method = "POST",
                 .path = "/admin/v1/policy/diff",
                 .body = json::Dump(body),
                 .content_type = "application/json"});
  }
  const std::string& url() const { return url_; }

 private:
  const std::unique_ptr<http::RestClient> client_;
  const std::string url_;
};

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

base::Result<DiffResult> DiffOfRunning(const std::string& address, const assembly::Policy& after,
                                       const RecordsQuestion& question) {
  const std::string url = AdminUrl(address);
  auto client = AdminClient(url, kTimeout);
  if (!client) return tl::unexpected(client.error());
  Running running(std::move(*client), url);
  const auto configuration = running.Configuration();
  if (!configuration) return tl::unexpected(configuration.error());
  const auto before = PolicyFromConfigz(url + "/configz", *configuration, *after.catalog);
  if (!before) return tl::unexpected(before.error());
  const bool same_extenders = SameExtenders(*configuration, after.config.scheduler);
  DiffResult out;
  for (const config::ExpandedProfile& was : before->profiles) {
    const std::string& name = was.scheduler_name;
    if (!question.profile.empty() && name != question.profile) continue;
    const config::ExpandedProfile* is = FindExpanded(after.config.profiles, name);
    if (is == nullptr) return base::Fail("profile \"" + name + "\" is gone: nothing would schedule its pods");
    ProfileChange change = Compare({before->configuration, ProfileNamed(before->configuration, name), was},
                                   {after.config.scheduler, ProfileNamed(after.config.scheduler, name), *is});
    if (!same_extenders) change.unknowable.emplace_back("the extenders differ");
    if (!change.unknowable.empty()) return base::Fail(Unknowable(name, change.unknowable));
    auto diff = running.Diff(RequestJson(name, change, question.limit));
    if (!diff) return tl::unexpected(diff.error());
    out.diffs.push_back(*std::move(diff));
    for (const std::string& notice : change.notices) out.notices.push_back("profile \"" + name + "\": " + notice);
  }
  for (const config::ExpandedProfile& is : after.config.profiles) {
    if (FindExpanded(before->profiles, is.scheduler_name) != nullptr) continue;
    out.notices.push_back("profile \"" + is.scheduler_name + "\" is new: it has no decisions yet");
  }
  if (out.diffs.empty()) return base::Fail("the scheduler has no profile \"" + question.profile + "\"");
  return out;
}

}  // namespace berth::ctl
