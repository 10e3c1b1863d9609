// Rules about changes of the cluster: events, objects, deltas. BP-130 to BP-132.
#include <string>

#include "berth/objects.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeEvent;
using sdk::testing::FakeNode;
using sdk::testing::FakeObject;
using sdk::testing::FakePod;

constexpr int kManyChanges = 20'000;

}  // namespace

void CheckEvents(const Subject& subject, Findings& findings) {
  TestHost rig(subject, Open(subject));
  rig.Fill(SampleCluster(4));
  if (!rig.Started(findings)) return;
  const auto* table = rig.TableOf<berth_events>(BERTH_POINT_EVENTS);
  if (table == nullptr) return findings.NotApplicable("the plugin hears of every event, and is not asked about any");
  findings.Step("interests");
  const auto interests = rig.plugin().Interests();
  if (interests != rig.plugin().Interests()) findings.Fail("interests() answers something else each time");
  for (uint32_t i = 0; i < interests.size(); ++i) {
    if (interests[i].resource.empty()) findings.Fail("interest " + std::to_string(i) + " is in no resource");
    if (interests[i].actions == 0) findings.Warn("the interest in " + interests[i].resource + " is in no action");
    if (!interests[i].hint) continue;
    if (table->hints == nullptr) {
      findings.Fail("the interest in " + interests[i].resource + " asks for hints, and there is no hints()");
      continue;
    }
    for (const FakeEvent& event : SampleEvents(interests[i].resource, i)) {
      findings.Step("hints about " + event.resource + ", actions " + std::to_string(event.actions));
      rig.plugin().Hints(event, SamplePods());
      rig.plugin().Hints(event, OddPods());
      rig.plugin().Hints(event, {});
    }
  }
  findings.FailAll(rig.Violations());
}

void CheckObjects(const Subject& subject, Findings& findings) {
  TestHost rig(subject, Open(subject));
  if (!rig.Started(findings)) return;
  const auto* table = rig.TableOf<berth_object_changes>(BERTH_POINT_OBJECTS);
  if (table == nullptr) return findings.NotApplicable("the plugin does not hear of objects");
  const std::vector<uint32_t> kinds = rig.host().objects().NeededKinds();
  const auto tell = [&](uint32_t kind, const FakeObject* before, const FakeObject* now) {
    const auto old_one = before == nullptr ? nullptr : before->Build(),
               new_one = now == nullptr ? nullptr : now->Build();
    const sdk::testing::CallScope scope(rig.host().checker(), "ObjectChanged", sdk::testing::kSerial);
    table->changed(rig.raw(), kind, old_one == nullptr ? nullptr : old_one->raw(),
                   new_one == nullptr ? nullptr : new_one->raw());
  };
  for (const uint32_t kind : kinds) {
    const std::string number = "kind " + std::to_string(kind);
    const FakeObject empty("bare", "default"), odd = FakeObject("odd", "default").Set("spec", "text").Set("status", 7);
    findings.Step(number + ": objects without what is usual");
    for (const FakeObject* object : {&empty, &odd}) {
      tell(kind, nullptr, object);
      tell(kind, object, object);
      tell(kind, object, nullptr);
    }
    findings.Step(number + ": an object that nobody has heard of goes");
    tell(kind, &odd, nullptr);
    findings.Step(number + ": " + std::to_string(kManyChanges) + " changes");
    tell(kind, nullptr, &empty);
    for (int i = 0; i < kManyChanges / static_cast<int>(kinds.size()); ++i) tell(kind, &empty, &empty);
    tell(kind, &empty, nullptr);
  }
  findings.FailAll(rig.Violations());
}

void CheckDeltas(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  TestHost rig(subject, library);
  rig.Fill(SampleCluster(8));
  if (!rig.Started(findings)) return;
  const auto* table = rig.TableOf<berth_deltas>(BERTH_POINT_DELTAS);
  if (table == nullptr) return findings.NotApplicable("the plugin does not follow changes of rows");
  findings.Step("pods and nodes that come and go");
  const std::string before = table->dump == nullptr ? "" : rig.plugin().Dump();
  for (uint32_t round = 0; round < 3; ++round) {
    const FakeNode guest = SampleNode(100);
    rig.plugin().NodeAdded(guest, 100);
    for (const FakePod& pod : SamplePods()) rig.plugin().PodAdded(FakePod(pod).Node(guest.name()), 100);
    rig.plugin().NodeChanged(FakeNode(guest).Label("zone", "z8"), 100);
    for (const FakePod& pod : SamplePods()) rig.plugin().PodRemoved(FakePod(pod).Node(guest.name()), 100);
    rig.plugin().NodeRemoved(FakeNode(guest).Label("zone", "z8"), 100);
  }
  findings.Step("odd pods");
  for (const FakePod& pod : OddPods()) rig.plugin().PodAdded(pod, 0);
  for (const FakePod& pod : OddPods()) rig.plugin().PodRemoved(pod, 0);
  if (table->dump != nullptr && rig.plugin().Dump() != before) {
    findings.Fail("when everything has come and gone again, its counts are not what they were");
  }
  findings.FailAll(rig.Violations());
}

}  // namespace berth::validate
