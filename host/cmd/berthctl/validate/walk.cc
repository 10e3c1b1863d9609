#include "cmd/berthctl/validate/walk.h"

#include <algorithm>
#include <map>

namespace berth::validate {
namespace {

using sdk::testing::Attempt;
using sdk::testing::FakePod;
using sdk::testing::Outcome;
using sdk::testing::Texts;

class Walker {
 public:
  Walker(TestHost& rig, const FakePod& pod, Findings& findings) : rig_(rig), pod_(pod), findings_(findings) {}

  Walked Go() {
    attempt_ = rig_.plugin().Try(pod_);
    if (Offers(BERTH_POINT_PRE_ENQUEUE, "PreEnqueue") && !attempt_->PreEnqueue().ok()) {
      walked_.enqueued = false;
      return walked_;
    }
    if (!Choose() || feasible_.empty()) return walked_;
    Score();
    Bind(feasible_.front());
    return walked_;
  }

 private:
  bool Offers(const char* id, const char* name) {
    if (!rig_.Offers(id)) return false;
    findings_.Step(std::string(name) + " of pod \"" + pod_.name() + "\"");
    return true;
  }

  // PreFilter, Filter, PostFilter. false: the attempt ends here.
  bool Choose() {
    bool skipped = false, narrowed = false;
    Texts names;
    if (Offers(BERTH_POINT_PRE_FILTER, "PreFilter")) {
      const auto outcome = attempt_->PreFilter();
      skipped = outcome.code == BERTH_SKIP;
      if (!outcome.ok() && !skipped) return PostFilter({}), false;
      narrowed = outcome.narrowed;
      names = outcome.names;
      if (std::find(names.begin(), names.end(), "") != names.end()) {
        findings_.Warn("PreFilter narrows to a name that is empty, or to an id that the host never gave out");
      }
    }
    const Texts nodes = NodesAmong(narrowed, names);
    if (skipped || nodes.empty() || !Offers(BERTH_POINT_FILTER, "Filter")) return feasible_ = nodes, true;
    walked_.judged = true;
    std::map<std::string, berth_status> verdicts;
    for (const auto& [node, verdict] : attempt_->Filter(nodes).nodes) {
      verdicts[node] = verdict.code;
      if (verdict.ok()) feasible_.push_back(node);
    }
    if (feasible_.empty()) PostFilter(verdicts);
    return true;
  }
  Texts NodesAmong(bool narrowed, const Texts& names) const {
    Texts nodes;
    for (const uint32_t row : attempt_->cluster().LiveRows()) {
      const std::string name = attempt_->cluster().NameOf(row);
      if (!narrowed || std::find(names.begin(), names.end(), name) != names.end()) nodes.push_back(name);
    }
    return nodes;
  }
  void PostFilter(const std::map<std::string, berth_status>& verdicts) {
    if (Offers(BERTH_POINT_POST_FILTER, "PostFilter")) attempt_->PostFilter(verdicts);
  }

  void Score() {
    if (Offers(BERTH_POINT_PRE_SCORE, "PreScore") && !attempt_->PreScore(feasible_).ok()) return;
    if (!Offers(BERTH_POINT_SCORE, "Score")) return;
    walked_.judged = true;
    const auto scored = attempt_->Score(feasible_);
    findings_.Step("Normalize of pod \"" + pod_.name() + "\"");
    if (scored.ok()) attempt_->Normalize(scored.nodes);
  }

  void Bind(const std::string& node) {
    if (Offers(BERTH_POINT_RESERVE, "Reserve") && !attempt_->Reserve(node).ok()) return GiveUp(node);
    if (Offers(BERTH_POINT_PERMIT, "Permit")) {
      const auto permitted = attempt_->Permit(node);
      if (!permitted.ok() && permitted.code != BERTH_WAIT) return GiveUp(node);
    }
    if (Offers(BERTH_POINT_PRE_BIND, "PreBind")) {
      const Outcome flight = attempt_->PreFlight(node);
      if (flight.ok() && !attempt_->PreBind(node).ok()) return GiveUp(node);
    }
    if (Offers(BERTH_POINT_BIND, "Bind")) {
      const Outcome bound = attempt_->Bind(node);
      if (!bound.ok() && bound.code != BERTH_SKIP) return GiveUp(node);
    }
    walked_.node = node;
    if (Offers(BERTH_POINT_POST_BIND, "PostBind")) attempt_->PostBind(node);
  }
  void GiveUp(const std::string& node) {
    if (Offers(BERTH_POINT_RESERVE, "Unreserve")) attempt_->Unreserve(node);
  }

  TestHost& rig_;
  const FakePod& pod_;
  Findings& findings_;
  std::unique_ptr<Attempt> attempt_;
  Texts feasible_;
  Walked walked_;
};

}  // namespace

Walked Walk(TestHost& rig, const FakePod& pod, Findings& findings) { return Walker(rig, pod, findings).Go(); }

}  // namespace berth::validate
