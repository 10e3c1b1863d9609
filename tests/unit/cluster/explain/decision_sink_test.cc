// The decisions of an engine in a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "cluster/explain/decision_sink.h"
#include "codec/json/value.h"
#include "test_scheduler.h"

namespace berth::explain {
namespace {

using testing::ElementsAre;

class DecisionSinkTest : public testing::Test {
 protected:
  ~DecisionSinkTest() override { std::remove(path_.c_str()); }

  // "KIND POD-OR-NUMBER" of each line.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const json::Value value = json::Parse(line).value_or(json::Value());
      std::string text = json::TextAt(value, "kind");
      if (const std::string pod = json::TextAt(value, "pod"); !pod.empty()) text += " " + pod;
      if (const json::Value* missed = value.Find("decisions")) text += " " + std::to_string(missed->integer());
      lines.push_back(text);
    }
    return lines;
  }

  const std::string path_ = testing::TempDir() + "/decisions-" + std::to_string(getpid()) + ".jsonl";
  fixture::TestScheduler rig_;
};

TEST_F(DecisionSinkTest, WritesEveryDecisionAtTheLatestAtTheEnd) {
  auto sink = DecisionSink::Start(rig_.simulation->engine(), {.path = path_});
  ASSERT_TRUE(sink) << sink.error().message;
  rig_.AddNodes({"n1"});
  rig_.AddPod("one");
  rig_.AddPod("two");
  rig_.Run();
  sink->reset();
  EXPECT_THAT(Lines(), ElementsAre("DecisionLogStart", "Decision default/one", "Decision default/two"));
}

TEST_F(DecisionSinkTest, CountsWhatTheRingHasLost) {
  decisions::Ring& ring = rig_.simulation->engine().decisions().ring();
  auto sink = DecisionSink::Start(rig_.simulation->engine(), {.path = path_});
  ASSERT_TRUE(sink) << sink.error().message;
  const uint64_t n = 2 * ring.limits().decisions;
  for (uint64_t i = 0; i < n; ++i) ring.Add({}, {.pod = "default/p"}, {});
  const uint64_t lost = n - ring.size();
  sink->reset();
  const std::vector<std::string> lines = Lines();
  ASSERT_EQ(lines.size(), 2 + ring.size());
  EXPECT_EQ(lines[1], "DecisionsMissed " + std::to_string(lost));
}

TEST_F(DecisionSinkTest, NamesAFileThatItCannotWrite) {
  const auto sink = DecisionSink::Start(rig_.simulation->engine(), {.path = "/none/log"});
  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().message, "/none/log: No such file or directory");
}

}  // namespace
}  // namespace berth::explain
