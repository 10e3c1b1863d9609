#include "simulator/results/explanation.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/text_table.h"
#include "simulator/results/result_table.h"

namespace berth::results {
namespace {

cycle::NodeRecord Rejected(const char* name, const char* plugin, std::vector<std::string> reasons) {
  cycle::NodeRecord record;
  record.name = name;
  record.verdict = plugin::Code::kUnresolvable;
  record.plugin = plugin;
  record.reasons = std::move(reasons);
  return record;
}

cycle::NodeRecord Scored(const char* name, std::vector<std::pair<std::string, int64_t>> scores) {
  cycle::NodeRecord record;
  record.name = name;
  for (const auto& [plugin, score] : scores) record.total += score;
  record.scores = std::move(scores);
  return record;
}

TEST(Explanation, PrintsScoresThenRejectionsWithTaints) {
  api::InternTables intern;
  const auto pod = api::DecodePod(
      intern,
      R"({"metadata":{"name":"p","namespace":"d"},"spec":{"containers":[],"tolerations":[{"key":"ok","operator":"Exists"}]}})");
  const auto tainted = api::DecodeNode(intern, R"({"metadata":{"name":"n3"},"spec":{"taints":[
      {"key":"ok","effect":"NoSchedule"},{"key":"team","value":"blue","effect":"NoExecute"}]}})");
  const auto disliked = api::DecodeNode(
      intern, R"({"metadata":{"name":"n1"},"spec":{"taints":[{"key":"old","effect":"PreferNoSchedule"}]}})");
  ASSERT_TRUE(pod && tainted && disliked);
  Attempt attempt{.pod = "d/p", .profile = "default-scheduler", .result = "Scheduled", .node = "n2", .ties = 2};
  attempt.nodes = {Scored("n1", {{"A", 7}}), Scored("n2", {{"A", 9}, {"B", 100}}),
                   Rejected("n3", "TaintToleration", {"node(s) had untolerated taint(s)"})};
  std::ostringstream out;
  Print(out, attempt, 3,
        {intern, pod->get(),
         [&](std::string_view name) { return name == "n3"   ? *tainted
                                             : name == "n1" ? *disliked
                                                            : api::NodeRef(); }},
        {});
  EXPECT_EQ(out.str(),
            "POD d/p, attempt 3, profile default-scheduler: Scheduled on n2 (one of 2 nodes with the highest total)\n"
            "\n"
            "NODE  TOTAL  A    B\n"
            "n2      109  9  100\n"
            "n1        7  7    -  [prefers not: taint old:PreferNoSchedule]\n"
            "\n"
            "NODE  VERDICT                       PLUGIN           WHY\n"
            "n3    UnschedulableAndUnresolvable  TaintToleration  node(s) had untolerated taint(s)  "
            "[taint team=blue:NoExecute]\n"
            "\n");
}

TEST(TextTable, AlignsColumnsWithoutTrailingSpaces) {
  using Align = base::TextTable::Align;
  base::TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"NAME", "N", "NOTE"});
  table.Add({"é", "1000", ""});
  std::ostringstream out;
  table.Print(out);
  EXPECT_EQ(out.str(), "NAME     N  NOTE\né     1000\n");
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(base::Wrap("one two three", 7, 0), "one two\nthree");
  EXPECT_EQ(base::Wrap("one two three", 9, 2), "one two\n  three");
  EXPECT_EQ(base::Wrap("averylongword b", 4, 1), "averylongword\n b");
  EXPECT_EQ(base::Wrap("", 4, 1), "");
}

results::AttemptEntry Entry(const char* pod, const char* result, const char* node, const char* message) {
  results::AttemptEntry entry;
  entry.pod = pod;
  entry.result = result;
  entry.node = node;
  entry.message = message;
  return entry;
}

TEST(ResultTable, ShowsTheLastMessageOfAPendingPodUntilItIsScheduled) {
  std::ostringstream out;
  results::TableResult table(out, {.color = false, .steps = true, .width = 60});
  table.Add(Entry("d/a", "Unschedulable", "", "0/1 nodes are available: 1 x."));
  table.Add(Entry("d/b", "Gated", "", "waiting for scheduling gates: [g]"));
  table.Add(Entry("d/b", "Gated", "", "waiting for scheduling gates: [h]"));
  table.Quiet("");
  table.Add(Entry("d/a", "Scheduled", "n1", ""));
  table.Quiet("step-1.yaml");
  EXPECT_EQ(out.str(),
            "AT START\n"
            "PENDING\n"
            "d/a\n"
            "    0/1 nodes are available: 1 x.\n"
            "d/b\n"
            "    Gated: waiting for scheduling gates: [h]\n"
            "\n"
            "AT step-1.yaml\n"
            "POD  NODE  TOTAL\n"
            "d/a  n1        -\n"
            "\n"
            "PENDING\n"
            "d/b\n"
            "    Gated: waiting for scheduling gates: [h]\n");
}

}  // namespace
}  // namespace berth::results
