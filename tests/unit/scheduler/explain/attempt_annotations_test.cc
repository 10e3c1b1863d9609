// The texts of the annotations, and their limits.
#include "scheduler/explain/attempt_annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "codec/json/value.h"
#include "scheduler/decisions/node_table_writer.h"
#include "world.h"

namespace berth::explain {
namespace {

using decisions::NodeTable;
using decisions::NodeTableWriter;
using testing::ElementsAre;
using testing::Pair;

std::string Key(std::string_view name) { return std::string(kAnnotationPrefix).append(name); }

std::optional<std::string> TextOf(const engine::Annotations& annotations, std::string_view name) {
  for (const auto& [key, value] : annotations) {
    if (key == Key(name)) return value;
  }
  ADD_FAILURE() << "no " << name;
  return std::nullopt;
}

json::Value ObjectOf(const engine::Annotations& annotations, std::string_view name) {
  auto value = json::Parse(TextOf(annotations, name).value_or(""));
  EXPECT_TRUE(value) << name;
  return value ? *value : json::Value();
}

// Writes a table of n nodes named "000", "001", and so on.
class Annotated : public testing::Test {
 protected:
  std::shared_ptr<const NodeTable> Write(uint32_t n, const std::function<void(NodeTableWriter&)>& fill) {
    writer_.Begin(n);
    names_.clear();
    for (uint32_t i = 0; i < n; ++i) names_.push_back(NameOf(i));
    writer_.UpdateNames(arrivals_, n, [&](uint32_t row) { return names_[row]; });
    fill(writer_);
    return writer_.Finish();
  }
  static std::string NameOf(uint32_t i) {
    std::string name = std::to_string(i);
    return std::string(3 - name.size(), '0') + name;
  }
  std::vector<std::string> Names(const NodeTable& table, std::string_view node, size_t most) {
    std::vector<std::string> names;
    for (uint32_t row : AnnotatedRows(table, node, most)) names.emplace_back(table.NameOf(row));
    return names;
  }

  base::VirtualClock clock_{0};
  NodeTableWriter writer_{clock_, std::make_shared<decisions::MemoryMeter>()};
  base::RowLog arrivals_;
  std::vector<std::string> names_;
};

TEST_F(Annotated, HasTheTextsOfTheSimulator) {
  const auto table = Write(3, [](NodeTableWriter& writer) {
    writer.verdicts()[0] = NodeTable::kPassed;
    writer.verdicts()[1] = writer.NumberOf("Fit", plugin::Code::kUnschedulable, {"Insufficient cpu", "Too many pods"});
    writer.verdicts()[2] = NodeTable::kPassed;
    writer.AddScores("Image", std::vector<int64_t>{40, 0, 7});
    writer.SetScored(0);
  });
  EXPECT_THAT(AnnotationsOf({.table = table, .filters = {"Name", "Fit"}, .node = "000"}),
              ElementsAre(Pair(Key("filter-result"), R"({"000":{"Name":"passed","Fit":"passed"},)"
                                                     R"("001":{"Fit":"Insufficient cpu, Too many pods"},)"
                                                     R"("002":{"Name":"passed","Fit":"passed"}})"),
                          Pair(Key("finalscore-result"), R"({"000":{"Image":"40"},"002":{"Image":"7"}})"),
                          Pair(Key("selected-node"), "000")));
}

TEST_F(Annotated, WithoutATableTheResultsAreRemoved) {
  EXPECT_THAT(AnnotationsOf({.node = "a"}),
              ElementsAre(Pair(Key("filter-result"), std::nullopt), Pair(Key("finalscore-result"), std::nullopt),
                          Pair(Key("selected-node"), "a")));
}

TEST_F(Annotated, NodesThatWereNotComparedHaveNoScores) {
  const auto table = Write(1, [](NodeTableWriter& writer) { writer.verdicts()[0] = NodeTable::kPassed; });
  EXPECT_EQ(TextOf(AnnotationsOf({.table = table, .node = "000"}), "finalscore-result"), "{}");
}

TEST_F(Annotated, TheChosenNodeRejectionsAndHighestTotalsComeFirst) {
  const auto table = Write(10, [](NodeTableWriter& writer) {
    for (int16_t& verdict : writer.verdicts()) verdict = NodeTable::kPassed;
    for (int row : {1, 2, 3}) writer.verdicts()[row] = writer.NumberOf("Fit", plugin::Code::kUnschedulable, {"cpu"});
    writer.verdicts()[4] = writer.NumberOf("Taint", plugin::Code::kUnschedulable, {"taint"});
    writer.AddScores("Image", std::vector<int64_t>{1, 0, 0, 0, 0, 50, 60, 70, 80, 2});
    writer.SetScored(0);
  });
  EXPECT_THAT(Names(*table, "009", 6), ElementsAre("001", "004", "006", "007", "008", "009"));
  EXPECT_THAT(Names(*table, "009", 1), ElementsAre("009"));
  EXPECT_THAT(Names(*table, "", 9), ElementsAre("000", "001", "002", "004", "005", "006", "007", "008", "009"));
}

TEST_F(Annotated, ShowsAtMostOneHundredNodes) {
  const auto table = Write(600, [](NodeTableWriter& writer) {
    for (int16_t& verdict : writer.verdicts()) verdict = NodeTable::kPassed;
  });
  EXPECT_EQ(ObjectOf(AnnotationsOf({.table = table, .filters = {"Fit"}}), "filter-result").object().size(), 100u);
}

TEST_F(Annotated, NeedsAtMost64KiB) {
  const std::string reason(3000, '"');  // twice as long in JSON
  const auto table = Write(100, [&](NodeTableWriter& writer) {
    for (size_t i = 0; i < 100; ++i) {
      writer.verdicts()[i] = writer.NumberOf("Fit", plugin::Code::kUnschedulable, {reason + std::to_string(i)});
    }
  });
  const engine::Annotations annotations = AnnotationsOf({.table = table});
  size_t bytes = 0;
  for (const auto& [key, value] : annotations) bytes += key.size() + value->size();
  EXPECT_LE(bytes, 65'536u);
  EXPECT_GT(bytes, 55'000u);
  EXPECT_EQ(ObjectOf(annotations, "filter-result").object().size(), 10u);
}

TEST(AttemptAnnotations, OfABoundPodAreThoseOfItsRecord) {
  AttemptAnnotations source;
  World world(nullptr, &source);
  world.AddNode("a", "8");
  world.AddNode("b", "4");
  world.AddNode("c", "8", "{unschedulable: true}");
  world.AddPod("web", "1");
  world.Run();
  ASSERT_NE(world.AnnotationsOf("web"), nullptr);
  const engine::Annotations& annotations = *world.AnnotationsOf("web");
  const decisions::Decision& decision = world.Newest();
  EXPECT_EQ(TextOf(annotations, "selected-node"), decision.node);
  const json::Value filter = ObjectOf(annotations, "filter-result"),
                    scores = ObjectOf(annotations, "finalscore-result");
  EXPECT_EQ(*filter.FindPath("a.NodeResourcesFit"), json::Value("passed"));
  EXPECT_EQ(*filter.Find("c"), json::Value::MakeObject({{"NodeUnschedulable", "node(s) were unschedulable"}}));
  ASSERT_EQ(scores.object().size(), 2u);
  for (const NodeTable::Scores& one : decision.nodes->scores) {
    for (const char* node : {"a", "b"}) {
      EXPECT_EQ(*scores.Find(node)->Find(one.plugin),
                json::Value(std::to_string(one.weighted.At(decision.nodes->Find(node)))))
          << node << " " << one.plugin;
    }
  }
}

TEST(AttemptAnnotations, OfAPendingPodSayWhyAndNoNode) {
  AttemptAnnotations source;
  World world(nullptr, &source);
  world.AddNode("a", "2");
  world.AddPod("web", "3");
  world.Run();
  ASSERT_NE(world.AnnotationsOf("web"), nullptr);
  EXPECT_THAT(*world.AnnotationsOf("web"),
              ElementsAre(Pair(Key("filter-result"), R"({"a":{"NodeResourcesFit":"Insufficient cpu"}})"),
                          Pair(Key("finalscore-result"), "{}"), Pair(Key("selected-node"), "")));
}

TEST(AttemptAnnotations, AreOffByDefault) {
  World world;
  world.AddNode("a", "2");
  world.AddPod("web", "1");
  world.Run();
  EXPECT_EQ(world.AnnotationsOf("web"), nullptr);
}

}  // namespace
}  // namespace berth::explain
