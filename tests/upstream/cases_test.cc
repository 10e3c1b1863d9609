// The cases of kube-scheduler's own plugin tests, run with Berth's plugins: verdicts, scores, gates, order, and hints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/events.h"
#include "one_plugin.h"
#include "recorded.h"
#include "reserved.h"

namespace berth::upstream {
namespace {

using testing::HasSubstr;

bool IsHint(const std::string& call) { return call.starts_with("isSchedulableAfter"); }

class UpstreamCase : public testing::TestWithParam<Case> {
 protected:
  const Case& c() const { return GetParam(); }
  bool Has(std::string_view call) const {
    return std::any_of(c().calls.begin(), c().calls.end(),
                       [&](const json::Value& v) { return At(v, "call").string() == call; });
  }

  void CheckCycles();
  void CheckPreFilter(OnePlugin& host, const json::Value& call);
  void CheckFilter(OnePlugin& host, const json::Value& call);
  void CheckPostFilter(OnePlugin& host, const json::Value& call);
  void CheckScores(OnePlugin& host, const std::vector<json::Value>& calls);
  void CheckHint(const json::Value& call);
  void CheckGate(const json::Value& call);
  void CheckOrder(const json::Value& call);
};

// ---- a cycle for each pod

std::string AddNodeOf(OnePlugin& host, const json::Value& call) {
  return host.AddNode(At(call, "node"), At(call, "pods").array());
}

bool IsScore(const std::string& call) { return call == "PreScore" || call == "Score" || call == "NormalizeScore"; }
bool HasNode(const std::string& call) {
  return call == "Filter" || call == "Score" || call == "AddPod" || call == "RemovePod" || call == "Reserve";
}

void UpstreamCase::CheckCycles() {
  OnePlugin host(c());
  for (const json::Value& call : c().calls) {
    if (HasNode(At(call, "call").string())) AddNodeOf(host, call);
    for (const json::Value& node : At(call, "nodes").array()) {
      if (!node.is_string()) AddNodeOf(host, node);
    }
  }
  if (host.n_nodes() == 0) host.AddNode(json::Value(json::Object{}), {});
  std::vector<json::Value> scores;
  std::string pod;
  for (const json::Value& call : c().calls) {
    const std::string& name = At(call, "call").string();
    if (const std::string text = json::Dump(At(call, "pod")); text != pod) {
      if (!scores.empty()) CheckScores(host, std::exchange(scores, {}));
      host.Begin(host.MakePod(At(call, "pod")));
      pod = text;
    }
    SCOPED_TRACE(name + " " + (At(call, "node").is_string() ? At(call, "node").string() : ""));
    if (name == "PreFilter") {
      CheckPreFilter(host, call);
    } else if (name == "Filter") {
      CheckFilter(host, call);
    } else if (name == "AddPod" || name == "RemovePod") {
      EXPECT_TRUE(host.ChangePod(AddNodeOf(host, call), name == "AddPod", At(call, "changed")).ok());
    } else if (name == "PostFilter") {
      CheckPostFilter(host, call);
    } else if (name == "Reserve") {
      CheckReserve(host, c(), call, AddNodeOf(host, call));
    } else {
      ASSERT_TRUE(IsScore(name)) << "what is " << name;
      scores.push_back(call);
    }
  }
  if (!scores.empty()) CheckScores(host, scores);
}

// The host adds to the message of an error.
void ExpectStatus(const plugin::Status& status, const json::Value& call) {
  const std::vector<std::string> reasons = Texts(At(call, "reasons"));
  EXPECT_EQ(plugin::CodeName(status.code), At(call, "code").string()) << status.Message();
  if (status.code != plugin::Code::kError) {
    EXPECT_EQ(status.reasons, reasons);
  }
  for (const std::string& reason : reasons) EXPECT_THAT(status.Message(), HasSubstr(reason));
}

void UpstreamCase::CheckPreFilter(OnePlugin& host, const json::Value& call) {
  plugin::Status status = host.PreFilter();
  if (status.ok() && host.PreFilterSkipped()) status.code = plugin::Code::kSkip;
  ExpectStatus(status, call);
  const json::Value& result = At(call, "result");
  if (result.is_null() || !status.ok()) return;
  EXPECT_EQ(host.narrowed(), !result.is_string()) << json::Dump(result);
  if (!host.narrowed()) return;
  std::set<std::string> known;
  for (const std::string& node : Texts(result)) {
    if (host.cluster().FindNode(node)) known.insert(node);
  }
  EXPECT_EQ(host.Candidates(), known);
}

void UpstreamCase::CheckFilter(OnePlugin& host, const json::Value& call) {
  const plugin::Status status = host.FilterOf(AddNodeOf(host, call));
  if (!host.PreFilterRejected()) return ExpectStatus(status, call);
  EXPECT_EQ(plugin::CodeName(status.code), At(call, "code").string()) << status.Message();  // PreFilter's message
}

void UpstreamCase::CheckPostFilter(OnePlugin& host, const json::Value& call) {
  const framework::PostFilterResult result = host.PostFilter();
  ExpectStatus(result.status, call);
  const std::string node(result.node == base::kNoId ? "" : host.intern().ids.Text(result.node));
  EXPECT_EQ(node, At(call, "nominated").string());
}

// DefaultNormalizeScore, for the two plugins whose raw scores upstream's tests compare.
void Normalize(const std::string& plugin, std::map<std::string, int64_t>& scores) {
  const bool reverse = plugin == "TaintToleration";
  if (!reverse && plugin != "NodeAffinity") return;
  int64_t most = 0;
  for (const auto& [node, score] : scores) most = std::max(most, score);
  for (auto& [node, score] : scores) {
    if (most > 0) score = score * 100 / most;
    if (reverse) score = 100 - score;
  }
}

void UpstreamCase::CheckScores(OnePlugin& host, const std::vector<json::Value>& calls) {
  std::map<std::string, int64_t> expected;
  std::vector<std::string> nodes;
  const json::Value* refused = nullptr;
  for (const json::Value& call : calls) {
    const std::string& name = At(call, "call").string();
    for (const json::Value& node : At(call, "nodes").array()) {
      nodes.push_back(node.is_string() ? node.string() : AddNodeOf(host, node));
    }
    if (const std::string& code = At(call, "code").string(); code == "Skip" || code == "Error") refused = &call;
    if (name == "Score") expected[AddNodeOf(host, call)] = At(call, "score").integer();
    for (const auto& [node, score] : At(call, "scores").object()) expected[node] = score.integer();
  }
  if (!Has("NormalizeScore")) Normalize(c().plugin, expected);
  if (nodes.empty()) {
    for (const auto& [node, score] : expected) nodes.push_back(node);
  }
  std::map<std::string, int64_t> scores;
  const plugin::Status status = host.Score(nodes, scores);
  if (refused != nullptr && At(*refused, "code").string() == "Error") return ExpectStatus(status, *refused);
  ASSERT_TRUE(status.ok()) << status.Message();
  if (Has("PreScore")) {
    EXPECT_EQ(scores.empty(), refused != nullptr) << "who skips is not asked for scores";
  }
  // A plugin that returned Skip in PreScore adds nothing. Upstream's test may call its Score nevertheless.
  for (const auto& [node, score] : expected) EXPECT_EQ(scores[node], score) << node;
}

// ---- queue

struct Happening {
  queue::EventObjects objects;
  std::vector<api::ClusterEvent> events;
  objects::Kind kind = {};  // the event's resource may point into it
};

uint32_t ActionOf(const json::Value& before, const json::Value& after) {
  if (before.is_null()) return BERTH_ACTION_ADD;
  return after.is_null() ? BERTH_ACTION_DELETE : BERTH_ACTION_UPDATE;
}

void NodeHappens(OnePlugin& host, const json::Value& before, const json::Value& after, Happening& out) {
  if (!before.is_null()) out.objects.old_node = host.MakeNode(before);
  if (!after.is_null()) out.objects.new_node = host.MakeNode(after);
  const uint32_t action = ActionOf(before, after);
  out.events = {{api::kResourceNode, action, {}}};
  if (action == BERTH_ACTION_UPDATE) out.events = api::NodeUpdateEvents(*out.objects.old_node, *out.objects.new_node);
}

void PodHappens(OnePlugin& host, const json::Value& before, const json::Value& after, Happening& out) {
  if (!before.is_null()) out.objects.old_pod = host.MakePod(before);
  if (!after.is_null()) out.objects.new_pod = host.MakePod(after);
  const uint32_t action = ActionOf(before, after);
  out.events = {{api::kResourceAssignedPod, action, {}}};
  if (action == BERTH_ACTION_UPDATE) {
    out.events = api::PodUpdateEvents(host.intern(), *out.objects.old_pod, *out.objects.new_pod);
  }
}

void ObjectHappens(OnePlugin& host, const json::Value& before, const json::Value& after, Happening& out) {
  const auto make = [&](const json::Value& value) {
    auto made = objects::MakeObject(host.intern(), value);
    EXPECT_TRUE(made) << json::Dump(value);
    return made ? objects::ValueOf(*made) : nullptr;
  };
  const json::Value& any = before.is_null() ? after : before;
  const objects::GroupVersion gv = objects::SplitApiVersion(At(any, "apiVersion").string());
  out.kind = objects::MakeKind(gv.group, gv.version, objects::ResourceOf(At(any, "kind").string()));
  if (!before.is_null()) out.objects.old_value = make(before);
  if (!after.is_null()) out.objects.new_value = make(after);
  out.events = {{out.kind.event_resource, ActionOf(before, after), {}}};
}

void Happen(OnePlugin& host, const json::Value& call, Happening& out) {
  const json::Value &before = At(call, "old"), &after = At(call, "new");
  std::string kind = At(before.is_null() ? after : before, "kind").string();
  if (kind.empty()) kind = At(call, "call").string().find("Node") != std::string::npos ? "Node" : "Pod";
  (kind == "Node" ? NodeHappens : kind == "Pod" ? PodHappens : ObjectHappens)(host, before, after, out);
}

// An event that matches no registration of the plugin, or is no event, requeues no pod.
void UpstreamCase::CheckHint(const json::Value& call) {
  OnePlugin host(c());
  Happening what;
  Happen(host, call, what);
  const api::PodRef pod = host.MakePod(At(call, "pod"));
  const berth_pod* pods[] = {&pod->abi};
  bool queued = false;
  for (const api::ClusterEvent& event : what.events) {
    for (const queue::Registration& r : host.profile().registrations()) {
      if (r.plugin != host.plugin_id() || !api::EventMatches(r.resource, r.actions, event)) continue;
      uint8_t answer[] = {0};
      const queue::HintRequest request{pod->abi.scheduler_name, r.plugin, r.interest, event, what.objects, pods};
      ASSERT_TRUE(r.has_hint);
      EXPECT_EQ(host.policy().Hints(request, answer), BERTH_SUCCESS);
      queued = queued || answer[0] != 0;
    }
  }
  EXPECT_EQ(queued ? "Queue" : "QueueSkip", At(call, "hint").string());
}

void UpstreamCase::CheckGate(const json::Value& call) {
  OnePlugin host(c());
  const queue::PreEnqueueVerdict verdict = host.policy().PreEnqueue(*host.MakePod(At(call, "pod")), base::kNoId);
  EXPECT_EQ(plugin::CodeName(static_cast<plugin::Code>(verdict.code)), At(call, "code").string());
  std::string reasons;
  for (const std::string& reason : Texts(At(call, "reasons"))) reasons += (reasons.empty() ? "" : ", ") + reason;
  EXPECT_EQ(verdict.message, reasons);
}

void UpstreamCase::CheckOrder(const json::Value& call) {
  OnePlugin host(c());
  queue::QueuedPod pods[2];
  for (size_t i = 0; i < 2; ++i) {
    const json::Value& queued = At(call, "queued").array()[i];
    pods[i].pod = host.MakePod(At(queued, "pod"));
    pods[i].timestamp = At(queued, "timestamp").integer();
  }
  EXPECT_EQ(host.policy().Less(pods[0], pods[1]), At(call, "less").boolean());
}

TEST_P(UpstreamCase, HoldsHere) {
  bool cycles = false;
  for (const json::Value& call : c().calls) {
    const std::string& name = At(call, "call").string();
    if (IsHint(name)) {
      CheckHint(call);
    } else if (name == "PreEnqueue") {
      CheckGate(call);
    } else if (name == "Less") {
      CheckOrder(call);
    } else {
      cycles = true;
    }
  }
  ASSERT_FALSE(c().calls.empty());
  if (cycles) CheckCycles();
}

// GoogleTest requires names of letters and digits; the number makes them unique.
std::string TestName(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.package + "_" + info.param.test + "_" + info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(All, UpstreamCase, testing::ValuesIn(Cases()), TestName);

}  // namespace

void PrintTo(const Case& c, std::ostream* out) { *out << c.package << " " << c.test << " \"" << c.name << "\""; }

}  // namespace berth::upstream
