// The rule of --fuzz: BP-160. Takes random pods of random clusters through the plugin, compares its batch calls with
// each other, and lets Berth's own host schedule the same pods. Everything depends on one seed, which reports of
// defects contain.
#include <algorithm>
#include <chrono>
#include <string>

#include "base/random.h"
#include "cmd/berthctl/validate/batch.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/real_host.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/walk.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeCluster;
using sdk::testing::FakePod;

constexpr uint64_t kMostNodes = 40, kMostPods = 12;

struct RandomScene {
  FakeCluster cluster;
  std::vector<FakePod> pods;
};

RandomScene MakeScene(base::Random& random) {
  RandomScene scene;
  const uint64_t nodes = random.Below(kMostNodes);
  for (uint32_t i = 0; i < nodes; ++i) scene.cluster.Add(RandomNode(random, i));
  for (uint64_t i = 0; i < nodes; ++i) {
    const std::string node = "n" + std::to_string(random.Below(nodes));
    scene.cluster.Add(RandomPod(random, 1000 + static_cast<uint32_t>(i)), node);
  }
  for (uint64_t i = random.Below(kMostPods) + 1; i > 0; --i) {
    scene.pods.push_back(RandomPod(random, static_cast<uint32_t>(i)));
  }
  return scene;
}

// In Berth's own host. "" or the defect.
std::string PlayInHost(const Subject& subject, const std::shared_ptr<const loader::Library>& library,
                       const RandomScene& scene, Findings& findings) {
  RealHost host(subject, library, findings);
  if (const auto started = host.Start(); !started) return "cannot be started: " + started.error().message;
  host.Fill(scene.cluster);
  for (const FakePod& pod : scene.pods) host.Schedule(pod);
  host.ScheduleTogether(scene.pods);
  host.ChangeCluster();
  host.Stop();
  const std::vector<std::string> breaches = host.incidents().TakeBreaches();
  return breaches.empty() ? "" : breaches.front();
}

// In the fake host.
class Round {
 public:
  Round(const Subject& subject, std::shared_ptr<const loader::Library> library, base::Random& random,
        Findings& findings)
      : random_(random), rig_(subject, std::move(library)), findings_(findings) {}

  // "" or the defect.
  std::string Play(const RandomScene& scene) {
    rig_.Fill(scene.cluster);
    if (!rig_.Start().ok()) return "cannot be started";
    for (const FakePod& pod : scene.pods) {
      if (std::string wrong = random_.Below(2) == 0 ? Compare(pod) : WalkOne(pod); !wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  std::string WalkOne(const FakePod& pod) {
    Walk(rig_, pod, findings_);
    const auto violations = rig_.Violations();
    return violations.empty() ? "" : violations.front();
  }
  // Some rows, and all rows.
  std::string Compare(const FakePod& pod) {
    std::string wrong;
    ForEachReady(rig_, {pod}, [&](Batch batch, const FakePod&, const Ready& ready) {
      findings_.Step(std::string(NameOf(batch)) + " of pod \"" + pod.name() + "\"");
      const RowNumbers all = ready.LiveRows();
      RowNumbers some;
      std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](uint32_t) { return random_.Below(2) == 0; });
      const std::string difference = Difference(ready, some, ready.Ask(some), all, ready.Ask(all));
      if (!difference.empty()) wrong = std::string(NameOf(batch)) + " of some rows and of all: " + difference;
    });
    return wrong;
  }

  base::Random& random_;
  TestHost rig_;
  Findings& findings_;
};

}  // namespace

void Fuzz(const Subject& subject, Findings& findings) {
  if (subject.fuzz_seconds == 0) return findings.NotApplicable("only with --fuzz SECONDS");
  const auto library = Open(subject);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(subject.fuzz_seconds);
  uint64_t rounds = 0;
  for (uint64_t seed = subject.seed; std::chrono::steady_clock::now() < end; ++seed, ++rounds) {
    findings.Within("with --seed " + std::to_string(seed) + ", ");
    findings.Step("starting");
    base::Random random(seed);
    const RandomScene scene = MakeScene(random);
    std::string wrong = Round(subject, library, random, findings).Play(scene);
    if (wrong.empty()) wrong = PlayInHost(subject, library, scene, findings);
    if (!wrong.empty()) return findings.Fail("with --seed " + std::to_string(seed) + ": " + wrong);
  }
  findings.Note(std::to_string(rounds) + " rounds from --seed " + std::to_string(subject.seed));
}

}  // namespace berth::validate
