// The rule about the host's data, BP-103: makes every call with data in read-only pages (read_only.h). A write there
// ends the process.
#include <string>
#include <utility>

#include "berth/pod_change.h"
#include "berth/queue_sort.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/plugin_args.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"
#include "cmd/berthctl/validate/walk.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeEvent;
using sdk::testing::FakeNode;
using sdk::testing::FakeObject;
using sdk::testing::FakePod;

constexpr uint32_t kInputNodes = 12;

class Tour {
 public:
  Tour(TestHost& rig, Findings& findings) : rig_(rig), findings_(findings) {}

  void Go() {
    for (const FakePod& pod : SamplePods()) Attempts(pod);
    if (rig_.Offers(BERTH_POINT_QUEUE_SORT)) Sort();
    if (rig_.Offers(BERTH_POINT_EVENTS)) Events();
    if (rig_.Offers(BERTH_POINT_DELTAS)) Deltas();
    Objects();
  }

 private:
  void Attempts(const FakePod& pod) {
    Walk(rig_, pod, findings_);
    const std::string of_pod = " of pod \"" + pod.name() + "\"";
    if (rig_.Offers(BERTH_POINT_POST_FILTER)) {
      const auto attempt = rig_.plugin().Try(pod);
      if (rig_.Offers(BERTH_POINT_PRE_FILTER) && !attempt->PreFilter().ok()) return;
      findings_.Step("PostFilter" + of_pod);
      attempt->PostFilter({{"n0", BERTH_UNSCHEDULABLE}});
    }
    if (!rig_.Offers(BERTH_POINT_POD_CHANGE)) return;
    const auto attempt = rig_.plugin().Try(pod);
    if (rig_.Offers(BERTH_POINT_PRE_FILTER) && !attempt->PreFilter().ok()) return;
    const auto trial = attempt->Trial();
    findings_.Step("AddPod in a trial" + of_pod);
    trial->AddPod(FakePod(pod).Name("guest"), "n0");
    findings_.Step("RemovePod in a trial" + of_pod);
    trial->RemovePod(FakePod(pod).Name("guest"), "n0");
  }
  void Sort() {
    findings_.Step("Less");
    rig_.plugin().Less({FakePod("a").Priority(1), 2, 1, 1}, {FakePod("b"), 1, 1, 1});
  }
  void Events() {
    const auto interests = rig_.plugin().Interests();
    for (uint32_t i = 0; i < interests.size(); ++i) {
      if (!interests[i].hint) continue;
      for (const FakeEvent& event : SampleEvents(interests[i].resource, i)) {
        findings_.Step("hints about " + event.resource + ", actions " + std::to_string(event.actions));
        rig_.plugin().Hints(event, SamplePods());
      }
    }
  }
  void Deltas() {
    findings_.Step("deltas");
    const FakeNode guest = SampleNode(100);
    const FakePod pod = FakePod("guest").Node(guest.name());
    rig_.plugin().NodeAdded(guest, 100);
    rig_.plugin().PodAdded(pod, 100);
    rig_.plugin().NodeChanged(FakeNode(guest).Label("zone", "z8"), 100);
    rig_.plugin().PodRemoved(pod, 100);
    rig_.plugin().NodeRemoved(guest, 100);
  }
  // The host reports no changes of kinds that the plugin does not need.
  void Objects() {
    for (const char* kind : {"v1/namespaces", "v1/services", "v1/persistentvolumeclaims",
                             "storage.k8s.io/v1/storageclasses", "policy/v1/poddisruptionbudgets"}) {
      findings_.Step(std::string("a change of ") + kind);
      rig_.plugin().Put(kind, FakeObject("guest", "default").Label("app", "web"));
      rig_.plugin().Put(kind, FakeObject("guest", "default").Label("app", "db"));
      rig_.plugin().Delete(kind, "guest", "default");
    }
  }

  TestHost& rig_;
  Findings& findings_;
};

}  // namespace

void CheckInputs(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  if (ArgsTableOf(*library, subject) != nullptr) {
    findings.Step("completing and checking args");
    sdk::testing::PluginUnderTest asked(library->mapping().entry, subject.plugin);
    (void)asked.Complete(ToFake(subject.given_args));
    if (const CompletedArgs args = CompleteArgs(subject, *library); args.errors.empty()) {
      (void)asked.Check(ToFake(args.args));
    }
    (void)asked.Violations();  // BP-90 reports them
  }
  findings.Step("starting");
  TestHost rig(subject, library);
  rig.Fill(SampleCluster(kInputNodes));
  if (!rig.Started(findings)) return;
  Tour(rig, findings).Go();
  findings.Step("ending");
  rig.Stop();
}

}  // namespace berth::validate
