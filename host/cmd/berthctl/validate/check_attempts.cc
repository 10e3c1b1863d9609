// Rules about whole attempts: BP-110, BP-115, BP-118.
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"
#include "cmd/berthctl/validate/walk.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeCluster;
using sdk::testing::FakePod;

// Reports the first pod with a defect only; later ones would repeat it.
void Serve(const Subject& subject, const FakeCluster& cluster, const std::vector<FakePod>& pods, Findings& findings) {
  TestHost rig(subject, Open(subject));
  rig.Fill(cluster);
  if (!rig.Started(findings)) return;
  for (const FakePod& pod : pods) {
    Walk(rig, pod, findings);
    const auto violations = rig.Violations();
    findings.FailAll(violations, "pod \"" + pod.name() + "\": ");
    if (!violations.empty()) return;
  }
  rig.Stop();
  findings.FailAll(rig.Violations(), "at its end: ");
}

}  // namespace

void CheckAttempts(const Subject& subject, Findings& findings) {
  Serve(subject, SampleCluster(12), SamplePods(), findings);
}

void CheckOddPods(const Subject& subject, Findings& findings) {
  FakeCluster cluster = SampleCluster(4);
  cluster.Add(sdk::testing::FakeNode("bare"));
  for (const FakePod& pod : OddPods()) cluster.Add(pod, "bare");
  Serve(subject, cluster, OddPods(), findings);
}

void CheckEmptyCluster(const Subject& subject, Findings& findings) {
  Serve(subject, FakeCluster(), SamplePods(), findings);
}

}  // namespace berth::validate
