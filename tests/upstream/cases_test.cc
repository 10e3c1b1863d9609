// kube-scheduler's own cases about its plugins, asked of ours: verdicts, scores, gates, order and hints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "api/events.h"
#include "one_plugin.h"
#include "recorded.h"

namespace berth::upstream {
namespace {

using testing::HasSubstr;

const json::Value& At(const json::Value& value, std::string_view key) {
  static const json::Value nothing;
  const json::Value* found = value.Find(key);
  return found == nullptr ? nothing : *found;
}

std::vector<std::string> Texts(const json::Value& list) {
  std::vector<std::string> out;
  for (const json::Value& item : list.array()) out.push_back(item.string());
  return out;
}

bool IsHint(const std::string& call) { return call.starts_with("isSchedulableAfter"); }

class UpstreamCase : public testing::TestWithParam<Case> {
 protected:
  const Case& c() const { return GetParam(); }
  bool Has(std::string_view call) const {
    return std::any_of(c().calls.begin(), c().calls.end(),
                       [&](const json::Value& v) { return At(v, "call").string() == call; });
  }

  bool PreFilterRejects() const {
    return std::any_of(c().calls.begin(), c().calls.end(), [](const json::Value& v) {
      return At(v, "call").string() == "PreFilter" && !At(v, "reasons").array().empty();
    });
  }

  void CheckVerdicts();
  void CheckVerdict(OnePlugin& host, const cycle::CycleResult& result, const json::Value& call);
  void CheckScores();
  void CheckHint(const json::Value& call);
  void CheckGate(const json::Value& call);
  void CheckOrder(const json::Value& call);
};

// ---- PreFilter and Filter

std::string AddNodeOf(OnePlugin& host, const json::Value& call) {
  return host.AddNode(At(call, "node"), At(call, "pods").array());
}

void UpstreamCase::CheckVerdicts() {
  OnePlugin host(c(), Points::kVerdicts);
  for (const json::Value& call : c().calls) {
    if (At(call, "call").string() == "Filter") AddNodeOf(host, call);
  }
  if (host.n_nodes() == 0) host.AddNode(json::Value(), {});
  const cycle::CycleResult result = host.Choose(*host.MakePod(At(c().calls.front(), "pod")));
  for (const json::Value& call : c().calls) {
    ASSERT_EQ(json::Dump(At(call, "pod")), json::Dump(At(c().calls.front(), "pod"))) << "one pod for each case";
    CheckVerdict(host, result, call);
  }
}

void UpstreamCase::CheckVerdict(OnePlugin& host, const cycle::CycleResult& result, const json::Value& call) {
  const std::string& code = At(call, "code").string();
  const std::vector<std::string> reasons = Texts(At(call, "reasons"));
  if (At(call, "call").string() == "PreFilter") {
    for (const std::string& reason : reasons) EXPECT_THAT(result.message, HasSubstr(reason));
    return;
  }
  const std::string node = AddNodeOf(host, call);
  const auto record = std::find_if(result.nodes.begin(), result.nodes.end(),
                                   [&](const cycle::NodeRecord& r) { return r.name == node; });
  if (record == result.nodes.end()) {  // PreFilter had narrowed the choice, so that Filter was not asked
    EXPECT_EQ(code, "UnschedulableAndUnresolvable") << result.message;
    if (result.nodes.empty() && PreFilterRejects()) return;  // CheckVerdict of that call sees the reason
    EXPECT_THAT(result.message, HasSubstr("node(s) didn't satisfy plugin(s) [" + c().plugin + "]"));
    return;
  }
  EXPECT_EQ(plugin::CodeName(record->verdict), code);
  EXPECT_EQ(record->reasons, reasons);
}

// ---- PreScore and Score

// DefaultNormalizeScore, for the two plugins whose raw scores upstream's tests see first.
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

json::Value Node(const char* name) {
  return json::Value::MakeObject({{"metadata", json::Value::MakeObject({{"name", name}})}});
}

void UpstreamCase::CheckScores() {
  OnePlugin host(c(), Points::kScores);
  std::map<std::string, int64_t> expected;
  std::string skip, error;
  for (const json::Value& call : c().calls) {
    ASSERT_EQ(json::Dump(At(call, "pod")), json::Dump(At(c().calls.front(), "pod"))) << "one pod for each case";
    for (const json::Value& node : At(call, "nodes").array()) host.AddNode(At(node, "node"), At(node, "pods").array());
    if (At(call, "code").string() == "Skip") skip = At(call, "call").string();
    if (At(call, "code").string() == "Error") error = Texts(At(call, "reasons")).front();
    if (At(call, "call").string() == "Score") expected[AddNodeOf(host, call)] = At(call, "score").integer();
  }
  for (const char* name : {"more-1", "more-2"}) {  // one feasible node is not scored at all
    if (host.n_nodes() < 2) host.AddNode(Node(name), {});
  }
  Normalize(c().plugin, expected);
  const cycle::CycleResult result = host.Choose(*host.MakePod(At(c().calls.front(), "pod")));
  if (!error.empty()) {
    EXPECT_EQ(result.outcome, cycle::Outcome::kError);
    EXPECT_THAT(result.message, HasSubstr(error));
    return;
  }
  ASSERT_EQ(result.outcome, cycle::Outcome::kChosen) << result.message;
  for (const cycle::NodeRecord& node : result.nodes) {
    const auto score =
        std::find_if(node.scores.begin(), node.scores.end(), [&](const auto& s) { return s.first == c().plugin; });
    if (!skip.empty()) {
      EXPECT_EQ(node.total, 0) << node.name;
      continue;
    }
    if (!expected.contains(node.name)) continue;
    // A plugin that answered Skip at PreScore adds nothing; upstream's test may ask it for scores all the same.
    EXPECT_EQ(score == node.scores.end() ? 0 : score->second, expected.at(node.name)) << node.name;
    expected.erase(node.name);
  }
  EXPECT_TRUE(!skip.empty() || expected.empty()) << expected.begin()->first << " was not scored";
}

// ---- queue

struct Happening {
  queue::EventObjects objects;
  std::vector<api::ClusterEvent> events;
};

Happening NodeHappening(OnePlugin& host, const json::Value& before, const json::Value& after) {
  Happening out;
  if (!before.is_null()) out.objects.old_node = host.MakeNode(before);
  if (!after.is_null()) out.objects.new_node = host.MakeNode(after);
  if (before.is_null()) {
    out.events = {{api::kResourceNode, BERTH_ACTION_ADD, {}}};
  } else {
    out.events = api::NodeUpdateEvents(*out.objects.old_node, *out.objects.new_node);
  }
  return out;
}

Happening PodHappening(OnePlugin& host, const json::Value& before, const json::Value& after) {
  Happening out;
  if (!before.is_null()) out.objects.old_pod = host.MakePod(before);
  if (!after.is_null()) out.objects.new_pod = host.MakePod(after);
  if (after.is_null()) {
    out.events = {{api::kResourceAssignedPod, BERTH_ACTION_DELETE, {}}};
  } else if (before.is_null()) {
    out.events = {{api::kResourceAssignedPod, BERTH_ACTION_ADD, {}}};
  } else {
    out.events = api::PodUpdateEvents(host.words(), *out.objects.old_pod, *out.objects.new_pod);
  }
  return out;
}

// An event that the plugin's registration does not match, or that is none, wakes nobody.
void UpstreamCase::CheckHint(const json::Value& call) {
  OnePlugin host(c(), Points::kVerdicts);
  const bool of_node = At(call, "call").string().find("Node") != std::string::npos;
  const Happening what = (of_node ? NodeHappening : PodHappening)(host, At(call, "old"), At(call, "new"));
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
  OnePlugin host(c(), Points::kVerdicts);
  const queue::PreEnqueueVerdict verdict = host.policy().PreEnqueue(*host.MakePod(At(call, "pod")), base::kNoId);
  EXPECT_EQ(plugin::CodeName(static_cast<plugin::Code>(verdict.code)), At(call, "code").string());
  std::string reasons;
  for (const std::string& reason : Texts(At(call, "reasons"))) reasons += (reasons.empty() ? "" : ", ") + reason;
  EXPECT_EQ(verdict.message, reasons);
}

void UpstreamCase::CheckOrder(const json::Value& call) {
  OnePlugin host(c(), Points::kVerdicts);
  queue::QueuedPod pods[2];
  for (size_t i = 0; i < 2; ++i) {
    const json::Value& queued = At(call, "queued").array()[i];
    pods[i].pod = host.MakePod(At(queued, "pod"));
    pods[i].timestamp = At(queued, "timestamp").integer();
  }
  EXPECT_EQ(host.policy().Less(pods[0], pods[1]), At(call, "less").boolean());
}

TEST_P(UpstreamCase, HoldsHere) {
  if (Has("Score") || Has("PreScore")) return CheckScores();
  if (Has("Filter") || Has("PreFilter")) return CheckVerdicts();
  for (const json::Value& call : c().calls) {
    const std::string& name = At(call, "call").string();
    if (IsHint(name)) {
      CheckHint(call);
    } else if (name == "PreEnqueue") {
      CheckGate(call);
    } else if (name == "Less") {
      CheckOrder(call);
    } else {
      FAIL() << "what is " << name;
    }
  }
}

// GoogleTest wants names of letters and digits; the number keeps them apart.
std::string TestName(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.package + "_" + info.param.test + "_" + info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(All, UpstreamCase, testing::ValuesIn(Cases()), TestName);

}  // namespace
}  // namespace berth::upstream
