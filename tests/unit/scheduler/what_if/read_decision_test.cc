// Decisions from the lines of a decision log.
#include "scheduler/what_if/read_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/what_if/replay.h"

namespace berth::what_if {
namespace {

base::Result<std::shared_ptr<const decisions::Decision>> Read(const std::string& nodes) {
  return ReadDecision(*json::Parse(R"({"id":7,"generation":3,"pod":"default/web","uid":"u","profile":"p","node":"a",)"
                                   R"("nodes":)" +
                                   nodes + "}"));
}

TEST(ReadDecision, ReadsTheTable) {
  const auto decision =
      Read(R"({"names":["a","b","c","d"],"verdicts":[0,0,1,-1],"rejections":[{"plugin":"Taint","code":"Unschedulable",)"
           R"("reasons":["no"]}],"scores":[{"plugin":"Fit","weight":2,"values":[20,10,null,null]},)"
           R"({"plugin":"http://e","values":[0,5,null,null]}],"totals":[20,15,null,null]})");
  ASSERT_TRUE(decision) << decision.error().message;
  EXPECT_EQ((*decision)->id, 7u);
  EXPECT_EQ((*decision)->generation, 3u);
  EXPECT_EQ((*decision)->pod, "default/web");
  EXPECT_EQ((*decision)->profile, "p");
  const decisions::NodeTable& table = *(*decision)->nodes;
  EXPECT_EQ(table.TotalOf(0), 20);
  EXPECT_EQ(table.TotalOf(1), 15);
  EXPECT_EQ(table.RejectionOf(2)->plugin, "Taint");
  EXPECT_FALSE(table.Examined(3));
  // 10 x 1 + 0 and 5 x 1 + 5.
  EXPECT_EQ(ReplayOf(**decision, {.weights = {{"Fit", 1}}}).ties, 2u);
  EXPECT_EQ(ReplayOf(**decision, {.weights = {}}).to, "b");
}

TEST(ReadDecision, NamesMistakes) {
  const auto error = [](const std::string& nodes) {
    const auto read = Read(nodes);
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(error(R"({"names":["a"],"verdicts":[0],"scores":[{"plugin":"Fit","values":[20]}],"totals":[20]})"),
            "decision 7: the scores of Fit have no weight: an older version of Berth has recorded them");
  EXPECT_EQ(error(R"({"names":["a"],"verdicts":[0],"scores":[{"plugin":"Fit","weight":1,"values":[]}]})"),
            "decision 7: the scores of Fit are not one for each node");
  EXPECT_EQ(error(R"({"names":["a"],"verdicts":[]})"), "decision 7: nodes.verdicts has not one value for each node");
  EXPECT_EQ(error(R"({"names":["a"],"verdicts":[1]})"), "decision 7: nodes.verdicts[0]: there is no such rejection");
  EXPECT_EQ(error(R"({"names":["a"],"verdicts":[-2]})"), "decision 7: nodes.verdicts[0]: there is no such rejection");
}

}  // namespace
}  // namespace berth::what_if
