// The rule about attempts that are given up, BP-122: calls that are running, and operations that have not ended.
// Only a pod in PreBind is given up today (berth/draft/nominate.h), but cycle->cancelled() may be asked in every call.
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "berth/draft/binding.h"
#include "validate/checks.h"
#include "validate/rig.h"
#include "validate/samples.h"

namespace berth::validate {
namespace {

using sdk::testing::Attempt;
using sdk::testing::FakeObject;
using sdk::testing::FakePod;
using sdk::testing::StartedCall;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint32_t kManyNodes = 2000;
constexpr milliseconds kHeadStart{20};           // that a call has before it is given up
constexpr milliseconds kSoon{500}, kMost{1000};  // after that; the most is the deadline of other calls
constexpr seconds kSoonByTheHost{10};            // by the host's clock, which operations wait by
constexpr seconds kPatience{3};

std::string InMilliseconds(Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) + " ms";
}

class Cancelling {
 public:
  Cancelling(Rig& rig, const FakePod& pod, Findings& findings) : rig_(rig), pod_(pod), findings_(findings) {}

  // Each call on an attempt of its own, which came so far undisturbed. false: another pod would say nothing new.
  bool Deciding() {
    Ask("PreFilter", BERTH_POINT_PRE_FILTER, After::kNothing, [](Attempt& one) { one.PreFilter(); });
    Ask("Filter", BERTH_POINT_FILTER, After::kPreFilter, [](Attempt& one) { one.Filter(); });
    Ask("PostFilter", BERTH_POINT_POST_FILTER, After::kPreFilter, [](Attempt& one) { one.PostFilter(); });
    Ask("PreScore", BERTH_POINT_PRE_SCORE, After::kPreFilter, [](Attempt& one) { one.PreScore(); });
    Ask("Score", BERTH_POINT_SCORE, After::kPreScore, [](Attempt& one) { one.Score(); });
    return sound_;
  }

  // late: once what it asked of the API server has been answered and what it posted has run.
  bool Binding(const std::string& node, bool late) {
    attempt_ = rig_.plugin().Try(pod_);
    if (rig_.Offers(BERTH_POINT_PRE_FILTER)) {
      const auto filtered = attempt_->PreFilter();
      if (!filtered.ok() && filtered.code != BERTH_SKIP) return true;
      if (filtered.ok() && rig_.Offers(BERTH_POINT_FILTER)) attempt_->Filter();
    }
    if (rig_.Offers(BERTH_POINT_RESERVE) && !attempt_->Reserve(node).ok()) return true;
    if (rig_.Offers(BERTH_POINT_PERMIT)) attempt_->Permit(node);
    if (rig_.Offers(BERTH_POINT_PRE_BIND) && attempt_->PreFlight(node).ok()) {
      GiveUp(
          "PreBind", [&] { return attempt_->StartPreBind(node); }, late);
    } else {
      Unreserve();
    }
    return sound_;
  }

 private:
  enum class After : uint8_t { kNothing, kPreFilter, kPreScore };
  // An attempt that has come there; false: this pod does not.
  bool Come(After after) {
    attempt_ = rig_.plugin().Try(pod_);
    if (after == After::kNothing) return true;
    if (rig_.Offers(BERTH_POINT_PRE_FILTER) && !attempt_->PreFilter().ok()) return false;
    return after == After::kPreFilter || !rig_.Offers(BERTH_POINT_PRE_SCORE) || attempt_->PreScore().ok();
  }
  void Ask(const char* name, const char* point, After after, void (*make)(Attempt&)) {
    if (!rig_.Offers(point) || !Come(after)) return;
    Step(name);
    attempt_->Cancel();
    const auto begin = Clock::now();
    make(*attempt_);
    Judge(std::string(name) + ", given up before it began,", Clock::now() - begin);
  }
  void Step(const std::string& call) {
    findings_.Step(call + " of pod \"" + pod_.name() + "\", whose attempt is given up");
  }
  void Judge(const std::string& call, Clock::duration took) {
    if (took <= kSoon) return;
    const std::string text = call + " comes back " + InMilliseconds(took) + " later";
    if (took <= kMost) return findings_.Warn(text);
    findings_.Fail(text);
    sound_ = false;
  }
  void Unreserve() {
    if (rig_.Offers(BERTH_POINT_RESERVE)) attempt_->Unreserve("n0");
  }

  // The call may be running when it is given up, or have answered LATER: then the pod is unreserved, and the operation
  // has to end all the same.
  void GiveUp(const std::string& name, const std::function<StartedCall()>& start, bool late) {
    Step(name);
    const auto begin = Clock::now();
    std::thread canceller([this] {
      std::this_thread::sleep_for(kHeadStart);
      attempt_->Cancel();
    });
    const StartedCall call = start();
    const auto took = Clock::now() - begin;
    canceller.join();
    Judge(name + ", given up while it ran,", took - kHeadStart);
    if (late) {
      rig_.host().api().Deliver();
      rig_.host().tasks().Advance();
    }
    Step("Unreserve while " + name + " has not ended");
    Unreserve();
    if (!call.ended()) EndOf(name, call);
  }
  void EndOf(const std::string& name, const StartedCall& call) {
    Step("the end of " + name);
    const int64_t since = rig_.host().tasks().now();
    const auto until = Clock::now() + kPatience;
    while (!call.ended() && Clock::now() < until) {
      rig_.host().api().Deliver();
      if (!call.ended()) rig_.host().tasks().Advance(seconds(1));
      call.WaitFor(milliseconds(1));
    }
    const seconds waited(
        std::chrono::duration_cast<seconds>(std::chrono::nanoseconds(rig_.host().tasks().now() - since)));
    if (!call.ended()) {
      findings_.Fail(name + " answered LATER, was given up, and never ended its operation");
      sound_ = false;
    } else if (waited > kSoonByTheHost) {
      findings_.Warn(name + " answered LATER, was given up, and ended its operation " + std::to_string(waited.count()) +
                     " s later by the host's clock");
    }
  }

  Rig& rig_;
  const FakePod& pod_;
  Findings& findings_;
  std::unique_ptr<Attempt> attempt_;
  bool sound_ = true;
};

// A claim that nothing binds: whoever binds volumes waits for it.
void AddClaimThatWaits(Rig& rig) {
  rig.plugin().Put(
      "storage.k8s.io/v1/storageclasses",
      FakeObject("late").Set("provisioner", "example.org/disk").Set("volumeBindingMode", "WaitForFirstConsumer"));
  rig.plugin().Put("v1/persistentvolumeclaims",
                   FakeObject("late", "default")
                       .Spec(R"({"storageClassName": "late", "accessModes": ["ReadWriteOnce"],
                  "resources": {"requests": {"storage": "1Gi"}}})")
                       .Status(R"({"phase": "Pending"})"));
}

// Until one is not sound.
void ForPods(const Subject& subject, uint32_t nodes, const std::vector<FakePod>& pods, Findings& findings,
             bool (*ask)(Cancelling)) {
  Rig rig(subject, Open(subject));
  rig.Fill(SampleCluster(nodes));
  AddClaimThatWaits(rig);
  if (!rig.Started(findings)) return;
  for (const FakePod& pod : pods) {
    if (!ask(Cancelling(rig, pod, findings))) break;
  }
  findings.Step("ending");
  rig.Stop();
  (void)rig.Violations();  // BP-110 and BP-120 tell of them
}

}  // namespace

void CheckCancelling(const Subject& subject, Findings& findings) {
  std::vector<FakePod> pods = SamplePods();
  const std::vector<FakePod> some(pods.begin() + 3, pods.begin() + 7);  // with affinities and constraints
  ForPods(subject, kManyNodes, some, findings, [](Cancelling one) { return one.Deciding(); });
  pods.push_back(FakePod("waiting").ClaimVolume("late"));
  ForPods(subject, 3, pods, findings,
          [](Cancelling one) { return one.Binding("n0", false) && one.Binding("n0", true); });
}

}  // namespace berth::validate
