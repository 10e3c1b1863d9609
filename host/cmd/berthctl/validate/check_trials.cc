// The rule about trials: BP-117. Preemption and nominated pods run filters as if pods were added or removed, and then
// restore everything.
#include <string>

#include "berth/pod_change.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {
namespace {

using sdk::testing::Attempt;
using sdk::testing::FakePod;
using sdk::testing::FilterOutcome;

constexpr uint32_t kTrialNodes = 12;

std::string Difference(const FilterOutcome& before, const FilterOutcome& after) {
  if (before.code != after.code) return "the call answers another status";
  for (const auto& [node, verdict] : before.nodes) {
    const auto at = after.nodes.find(node);
    if (at == after.nodes.end() || at->second != verdict) return "node " + node + " is judged otherwise";
  }
  return {};
}

std::vector<FakePod> Guests() {
  return {FakePod("guest-1").Label("app", "web").Req({{"cpu", 400}}).HostPort(8080),
          FakePod("guest-2").Label("app", "db").PodAntiAffinity({"zone", {.labels = {{"app", "web"}}}}),
          FakePod("guest-3").Label("app", "web").ClaimVolume("data")};
}

// Adds pods to every node and removes them again, in the same order.
void ComeAndGo(Attempt& trial) {
  for (const uint32_t row : trial.cluster().LiveRows()) {
    const std::string node = trial.cluster().NameOf(row);
    for (const FakePod& guest : Guests()) trial.AddPod(FakePod(guest).Uid(guest.name() + node), node);
  }
  for (const uint32_t row : trial.cluster().LiveRows()) {
    const std::string node = trial.cluster().NameOf(row);
    for (const FakePod& guest : Guests()) trial.RemovePod(FakePod(guest).Uid(guest.name() + node), node);
  }
}

}  // namespace

void CheckTrials(const Subject& subject, Findings& findings) {
  TestHost rig(subject, Open(subject));
  rig.Fill(SampleCluster(kTrialNodes));
  if (!rig.Started(findings)) return;
  if (!rig.Offers(BERTH_POINT_POD_CHANGE) || !rig.Offers(BERTH_POINT_FILTER)) {
    return findings.NotApplicable("the plugin does not ask to hear of pods that come and go in trials");
  }
  for (const FakePod& pod : SamplePods()) {
    findings.Step("a trial of pod \"" + pod.name() + "\"");
    const auto attempt = rig.plugin().Try(pod);
    if (rig.Offers(BERTH_POINT_PRE_FILTER) && !attempt->PreFilter().ok()) continue;
    const FilterOutcome before = attempt->Filter();
    {
      const auto trial = attempt->Trial();
      ComeAndGo(*trial);
      const std::string wrong = Difference(before, trial->Filter());
      if (!wrong.empty()) findings.Fail("pod \"" + pod.name() + "\": after pods came and went again " + wrong);
    }
    const std::string wrong = Difference(before, attempt->Filter());
    if (!wrong.empty()) findings.Fail("pod \"" + pod.name() + "\": a trial that is over has left its traces: " + wrong);
  }
  findings.FailAll(rig.Violations());
}

}  // namespace berth::validate
