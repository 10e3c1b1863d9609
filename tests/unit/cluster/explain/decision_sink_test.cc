// The decisions of an engine in a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
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

  // What the sink writes of the ring when a file can have so many bytes.
  std::vector<std::string> LinesWithLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit low{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    DecisionSink::Start(rig_.simulation->engine(), {.path = path_}).value().reset();
    setrlimit(RLIMIT_FSIZE, &before);
    return Lines();
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

TEST_F(DecisionSinkTest, CountsWhatItCouldNotWrite) {
  decisions::Ring& ring = rig_.simulation->engine().decisions().ring();
  for (int i = 0; i < 100; ++i) ring.Add({}, {.pod = "default/many"}, {});
  ring.Add({}, {.pod = "default/last"}, {});
  EXPECT_THAT(LinesWithLimit(4096), ElementsAre("DecisionLogStart", "DecisionsMissed 100", "Decision default/last"));
}

TEST_F(DecisionSinkTest, WritesManyLargeDecisionsInPieces) {
  decisions::Ring& ring = rig_.simulation->engine().decisions().ring();
  const std::string text(2000, '\x01');  // a character takes six in JSON
  const decisions::DecisionTexts large{
      .pod = "default/large", .uid = text, .profile = text, .node = text, .message = text, .nominated_node = text};
  for (int i = 0; i < 100; ++i) ring.Add({}, large, {});
  ring.Add({}, {.pod = "default/last"}, {});
  const std::vector<std::string> lines = LinesWithLimit(1'200'000);
  const auto written = std::count(lines.begin(), lines.end(), "Decision default/large");
  EXPECT_GT(written, 1);
  EXPECT_LT(written, 100);
  ASSERT_EQ(lines.size(), static_cast<size_t>(written) + 3);
  EXPECT_EQ(lines[lines.size() - 2], "DecisionsMissed " + std::to_string(100 - written));
  EXPECT_EQ(lines.back(), "Decision default/last");
}

TEST_F(DecisionSinkTest, NamesAFileThatItCannotWrite) {
  const auto sink = DecisionSink::Start(rig_.simulation->engine(), {.path = "/none/log"});
  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().message, "/none/log: No such file or directory");
}

}  // namespace
}  // namespace berth::explain
