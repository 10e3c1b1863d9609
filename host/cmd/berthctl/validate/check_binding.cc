// The rule about the calls after the choice of a node: BP-120.
#include <chrono>
#include <string>

#include "berth/binding.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {
namespace {

using sdk::testing::Attempt;
using sdk::testing::CallScope;
using sdk::testing::FakeOp;
using sdk::testing::FakePod;
using sdk::testing::Outcome;

constexpr std::chrono::seconds kBindingTimeout{3};
constexpr std::chrono::nanoseconds kLongestWait = std::chrono::minutes(15);

class Binding {
 public:
  Binding(TestHost& rig, const FakePod& pod, Findings& findings) : rig_(rig), pod_(pod), findings_(findings) {}

  // false: an operation did not end as required, and others would take as long.
  bool Go(const std::string& node) {
    Call(node);
    return sound_;
  }

 private:
  void Call(const std::string& node) {
    attempt_ = rig_.plugin().Try(pod_);
    if (rig_.Offers(BERTH_POINT_PRE_FILTER)) {
      Step("PreFilter");
      const Outcome filtered = attempt_->PreFilter();
      if (!filtered.ok() && filtered.code != BERTH_SKIP) return;
    }
    if (rig_.Offers(BERTH_POINT_RESERVE)) Reserve(node);
    if (rig_.Offers(BERTH_POINT_PERMIT)) Permit(node);
    if (rig_.Offers(BERTH_POINT_PRE_BIND)) PreBind(node);
    if (rig_.Offers(BERTH_POINT_BIND)) Bind(node);
    if (rig_.Offers(BERTH_POINT_POST_BIND)) {
      Step("PostBind");
      attempt_->PostBind(node);
    }
    if (rig_.Offers(BERTH_POINT_RESERVE)) {
      Step("Unreserve at the end");
      attempt_->Unreserve(node);
    }
  }
  void Step(const std::string& call) { findings_.Step(call + " of pod \"" + pod_.name() + "\""); }

  // The host calls Unreserve also if Reserve was not called, and more than once.
  void Reserve(const std::string& node) {
    Step("Unreserve without Reserve");
    attempt_->Unreserve(node);
    Step("Reserve");
    attempt_->Reserve(node);
    Step("Unreserve, twice");
    attempt_->Unreserve(node);
    attempt_->Unreserve(node);
    Step("Reserve again");
    attempt_->Reserve(node);
  }
  void Permit(const std::string& node) {
    Step("Permit");
    const auto permitted = attempt_->Permit(node);
    if (permitted.code != BERTH_WAIT) return;
    if (permitted.wait <= std::chrono::nanoseconds(0)) findings_.Fail("Permit answers WAIT and no time to wait");
    if (permitted.wait > kLongestWait) findings_.Warn("Permit asks for more than 15 minutes: the host cuts it to that");
  }
  void PreBind(const std::string& node) {
    Step("PreFlight");
    attempt_->PreFlight(node);
    Step("PreBind");
    const auto& table = *rig_.TableOf<berth_pre_bind>(BERTH_POINT_PRE_BIND);
    Complete("PreBind", [&](berth_op* op) {
      return table.pre_bind(rig_.raw(), attempt_->cycle().raw(), attempt_->pod(), sdk::testing::IdOf(node), op);
    });
  }
  void Bind(const std::string& node) {
    Step("Bind");
    const auto& table = *rig_.TableOf<berth_bind>(BERTH_POINT_BIND);
    Complete("Bind", [&](berth_op* op) {
      return table.bind(rig_.raw(), attempt_->cycle().raw(), attempt_->pod(), sdk::testing::IdOf(node), op);
    });
  }

  // An operation ends with the status, or with exactly one done(), never with both.
  template <class Fn>
  void Complete(const std::string& call, Fn&& fn) {
    FakeOp op(rig_.host().checker());  // reports a second done()
    auto* snap = std::exchange(attempt_->cycle().snap, nullptr);
    berth_status status = 0;
    {
      const CallScope scope(rig_.host().checker(), call.c_str(), sdk::testing::kBinding, attempt_->cycle().raw());
      status = fn(op.raw());
    }
    const auto deadline = std::chrono::steady_clock::now() + kBindingTimeout;
    while (status == BERTH_LATER && !op.ended() && std::chrono::steady_clock::now() < deadline) {
      rig_.host().api().Deliver();
      rig_.host().tasks().Advance(std::chrono::seconds(1));
      (void)op.Wait(std::chrono::milliseconds(1));
    }
    attempt_->cycle().snap = snap;
    if (status == BERTH_LATER && !op.ended()) Fail(call + " answered LATER and never ended its operation");
    if (status != BERTH_LATER && op.ended()) Fail(call + " ended its operation and did not answer LATER");
    if (op.ended() && op.Wait({})->code == BERTH_ERROR && op.Wait({})->reasons.empty()) {
      Fail(call + " ended its operation with ERROR and no reason");
    }
  }

  void Fail(const std::string& text) {
    findings_.Fail(text);
    sound_ = false;
  }

  TestHost& rig_;
  const FakePod& pod_;
  Findings& findings_;
  std::unique_ptr<Attempt> attempt_;
  bool sound_ = true;
};

}  // namespace

void CheckBinding(const Subject& subject, Findings& findings) {
  TestHost rig(subject, Open(subject));
  rig.Fill(SampleCluster(3));
  if (!rig.Started(findings)) return;
  bool any = false;
  for (const char* id :
       {BERTH_POINT_RESERVE, BERTH_POINT_PERMIT, BERTH_POINT_PRE_BIND, BERTH_POINT_BIND, BERTH_POINT_POST_BIND}) {
    any = any || rig.Offers(id);
  }
  if (!any) return findings.NotApplicable("the plugin has no part in binding");
  for (const FakePod& pod : SamplePods()) {
    const bool sound = Binding(rig, pod, findings).Go("n0");
    const auto violations = rig.Violations();
    findings.FailAll(violations);
    if (!sound || !violations.empty()) return;
  }
}

}  // namespace berth::validate
