// Rules about whole attempts: BP-110, BP-115, BP-118, BP-119. Berth's own host schedules the pods. Then the fake host
// takes them through the plugin, because it checks what Berth's host does not: where a function of the host is called,
// what the plugin gives back, and calls that the scheduler does not make, such as one for no nodes.
#include <algorithm>

#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/real_host.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"
#include "cmd/berthctl/validate/walk.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeCluster;
using sdk::testing::FakePod;

constexpr size_t kMostNotes = 5;

struct Scene {
  FakeCluster cluster;
  std::vector<FakePod> pods;
};

// Returns whether there were breaches.
bool FailForBreaches(RealHost& host, Findings& findings) {
  const std::vector<std::string> breaches = host.incidents().TakeBreaches();
  findings.FailAll(breaches);
  return !breaches.empty();
}

// Stops at the first pod with a defect; later ones would repeat it.
bool SchedulesAll(RealHost& host, const Scene& scene, Findings& findings) {
  host.Fill(scene.cluster);
  for (const FakePod& pod : scene.pods) {
    host.Schedule(pod);
    if (FailForBreaches(host, findings)) return false;
  }
  host.ScheduleTogether(scene.pods);
  host.ChangeCluster();
  if (FailForBreaches(host, findings)) return false;
  host.Stop();
  return !FailForBreaches(host, findings);
}

// false: reported a defect.
bool ServeInHost(const Subject& subject, const Scene& scene, Findings& findings) {
  RealHost host(subject, Open(subject), findings);
  if (!host.Started()) return false;
  const bool fine = SchedulesAll(host, scene, findings);
  std::vector<std::string> errors = host.incidents().TakeErrors();
  errors.resize(std::min(errors.size(), kMostNotes));
  for (const std::string& error : errors) findings.Note(error);
  return fine;
}

void ServeInFakeHost(const Subject& subject, const Scene& scene, Findings& findings) {
  TestHost rig(subject, Open(subject));
  rig.Fill(scene.cluster);
  if (!rig.Started(findings)) return;
  for (const FakePod& pod : scene.pods) {
    Walk(rig, pod, findings);
    const auto violations = rig.Violations();
    findings.FailAll(violations, "pod \"" + pod.name() + "\": ");
    if (!violations.empty()) return;
  }
  rig.Stop();
  findings.FailAll(rig.Violations(), "at its end: ");
}

void Serve(const Subject& subject, const Scene& scene, Findings& findings) {
  if (ServeInHost(subject, scene, findings)) ServeInFakeHost(subject, scene, findings);
}

// Pods that need nothing but room.
std::vector<FakePod> PlainPods() {
  std::vector<FakePod> pods;
  for (int i = 0; i < 8; ++i) {
    pods.push_back(FakePod("p" + std::to_string(i)).Label("app", "web").Image("i").Req({{"cpu", i * 100}}));
  }
  return pods;
}

}  // namespace

void CheckAttempts(const Subject& subject, Findings& findings) {
  Serve(subject, {SampleCluster(12), SamplePods()}, findings);
}

void CheckOddPods(const Subject& subject, Findings& findings) {
  FakeCluster cluster = SampleCluster(4);
  cluster.Add(sdk::testing::FakeNode("bare"));
  for (const FakePod& pod : OddPods()) cluster.Add(pod, "bare");
  Serve(subject, {cluster, OddPods()}, findings);
}

void CheckEmptyCluster(const Subject& subject, Findings& findings) {
  Serve(subject, {FakeCluster(), SamplePods()}, findings);
}

void CheckInTheHost(const Subject& subject, Findings& findings) {
  RealHost host(subject, Open(subject), findings);
  if (!host.Started()) return;
  SchedulesAll(host, {SampleCluster(4), PlainPods()}, findings);
  findings.FailAll(host.incidents().TakeErrors());
}

}  // namespace berth::validate
