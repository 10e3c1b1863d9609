// The rule about canceled attempts, BP-122: running calls, and operations that have not ended. Today the host cancels
// an attempt only in PreBind (berth/nominate.h), but a plugin may call cycle->cancelled() in every call.
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "berth/binding.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"

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
constexpr milliseconds kHeadStart{20};           // from the start of a call to its cancellation
constexpr milliseconds kSoon{500}, kMost{1000};  // after that; kMost is the deadline of other calls
constexpr seconds kSoonByTheHost{10};            // of the host's clock, which operations use
constexpr seconds kCancelTimeout{3};

std::string InMilliseconds(Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) + " ms";
}

class Cancelling {
 public:
  Cancelling(TestHost& rig, const FakePod& pod, Findings& findings) : rig_(rig), pod_(pod), findings_(findings) {}

  // Makes each call in its own attempt, canceled at this call only. false: another pod would repeat the result.
  bool Deciding() {
    Ask("PreFilter", BERTH_POINT_PRE_FILTER, After::kNothing, [](Attempt& one) { one.PreFilter(); });
    Ask("Filter", BERTH_POINT_FILTER, After::kPreFilter, [](Attempt& one) { one.Filter(); });
    Ask("PostFilter", BERTH_POINT_POST_FILTER, After::kPreFilter, [](Attempt& one) { one.PostFilter(); });
    Ask("PreScore", BERTH_POINT_PRE_SCORE, After::kPreFilter, [](Attempt& one) { one.PreScore(); });
    Ask("Score", BERTH_POINT_SCORE, After::kPreScore, [](Attempt& one) { one.Score(); });
    return sound_;
  }

  // late: after the replies to its requests arrived and its posted tasks ran.
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
  // An attempt at that point; false: this pod does not reach it.
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

  // The host may cancel a running call, or one that returned LATER: then it unreserves the pod, and the operation must
  // still end.
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
    const auto until = Clock::now() + kCancelTimeout;
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

  TestHost& rig_;
  const FakePod& pod_;
  Findings& findings_;
  std::unique_ptr<Attempt> attempt_;
  bool sound_ = true;
};

// A claim that stays unbound: a plugin that binds volumes waits for it.
void AddClaimThatWaits(TestHost& rig) {
  rig.plugin().Put(
      "storage.k8s.io/v1/storageclasses",
      FakeObject("late").Set("provisioner", "example.org/disk").Set("volumeBindingMode", "WaitForFirstConsumer"));
  rig.plugin().Put("v1/persistentvolumeclaims",
                   FakeObject("late", "default")
                       .Spec(R"({"storageClassName": "late", "accessModes": ["ReadWriteOnce"],
                  "resources": {"requests": {"storage": "1Gi"}}})")
                       .Status(R"({"phase": "Pending"})"));
}

// Stops at the first defect.
void ForPods(const Subject& subject, uint32_t nodes, const std::vector<FakePod>& pods, Findings& findings,
             bool (*ask)(Cancelling)) {
  TestHost rig(subject, Open(subject));
  rig.Fill(SampleCluster(nodes));
  AddClaimThatWaits(rig);
  if (!rig.Started(findings)) return;
  for (const FakePod& pod : pods) {
    if (!ask(Cancelling(rig, pod, findings))) break;
  }
  findings.Step("ending");
  rig.Stop();
  (void)rig.Violations();  // BP-110 and BP-120 report them
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
