// The rule about the succession: BP-142. The ABI: berth/draft/succession.h.
#include <string>

#include "base/text.h"
#include "berth/draft/succession.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/walk.h"

namespace berth::validate {
namespace {

constexpr uint32_t kSuccessionNodes = 12;

void WalkAll(TestHost& rig, Findings& findings) {
  for (const sdk::testing::FakePod& pod : SamplePods()) Walk(rig, pod, findings);
}

// Prepares a successor with the args that the plugin already accepted. If it does not start: reports a failure,
// nullptr.
std::unique_ptr<TestHost> Prepare(const Subject& subject, TestHost& before, Findings& findings) {
  findings.Step("prepare");
  auto next = std::make_unique<TestHost>(subject, Open(subject));
  next->Fill(SampleCluster(kSuccessionNodes));
  const auto outcome = next->StartFrom(before, *before.TableOf<berth_succession>(BERTH_POINT_SUCCESSION));
  if (outcome.ok()) return next;
  findings.Fail("what it prepares for its own args cannot be started: " + base::Join(outcome.reasons, "; "));
  return nullptr;
}

}  // namespace

void CheckSuccession(const Subject& subject, Findings& findings) {
  TestHost first(subject, Open(subject));
  first.Fill(SampleCluster(kSuccessionNodes));
  if (!first.Started(findings)) return;
  const auto* table = first.TableOf<berth_succession>(BERTH_POINT_SUCCESSION);
  if (table == nullptr) return findings.NotApplicable("the plugin does not prepare its successor");
  WalkAll(first, findings);
  std::unique_ptr<TestHost> given_up = Prepare(subject, first, findings);
  if (given_up == nullptr) return;
  findings.Step("letting go what was prepared");
  given_up->Stop();
  WalkAll(first, findings);
  const std::unique_ptr<TestHost> second = Prepare(subject, first, findings);
  if (second == nullptr) return;
  WalkAll(first, findings);
  findings.Step("commit");
  second->plugin().Commit(first.plugin());
  findings.Step("both at work, for the first has open attempts");
  WalkAll(*second, findings);
  WalkAll(first, findings);
  findings.Step("the first goes");
  first.Stop();
  WalkAll(*second, findings);
  findings.FailAll(given_up->Violations(), "as a successor that is let go: ");
  findings.FailAll(first.Violations(), "as a predecessor: ");
  findings.FailAll(second->Violations(), "as a successor: ");
}

}  // namespace berth::validate
