// All profiles share QueueSort: with any plugin, the scheduler tries the pods of all profiles, in a sensible
// order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "telemetry/log/capture.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

bool LastInFirstOut(const sdk::Queued& a, const sdk::Queued& b) { return a->queued_unix_ns > b->queued_unix_ns; }

struct AQueueSort : testing::Test {
  // The queue calls the FIFO instance of the first profile.
  static std::vector<ProfilePlan> Plans(int quarantine_after = 0) {
    ProfilePlan one, two{.scheduler_name = "two"};
    one.faults.call_deadline_ns = two.faults.call_deadline_ns = base::kSecond / 20;
    one.faults.quarantine_after = two.faults.quarantine_after = quarantine_after;
    return {one, two};
  }
  static void AddPods(TestScheduler& rig, const std::string& prefix = "") {
    rig.AddPod(prefix + "old", R"("schedulerName":"two")");
    rig.AddPod(prefix + "young");
    rig.AddPod(prefix + "high", R"("schedulerName":"two","priority":10)");
    rig.Run();
  }
  static std::vector<std::string> Tried(const TestScheduler& rig) {
    std::vector<std::string> pods;
    for (const auto& entry : rig.story.entries) {
      EXPECT_EQ(entry.result, "Scheduled") << entry.pod << ": " << entry.message;
      pods.push_back(entry.pod);
    }
    return pods;
  }
  static plugin::Instance& Sorter(TestScheduler& rig) {
    return *rig.simulation->engine().profiles().profiles.front()->At(plugin::Point::kQueueSort).front();
  }
};

TEST_F(AQueueSort, IsCalled) {
  TestScheduler rig(Plans());
  ScriptOfOrder() = LastInFirstOut;
  rig.AddNodes({"n1"});
  AddPods(rig);
  EXPECT_THAT(Tried(rig), ElementsAre("default/high", "default/young", "default/old"));
  EXPECT_EQ(Sorter(rig).faults(), 0u);
}

TEST_F(AQueueSort, ThatThrowsIsReplacedByPriorityAndAge) {
  TestScheduler rig(Plans());
  ScriptOfOrder() = [](auto&&...) -> bool { throw std::runtime_error("lost my way"); };
  rig.AddNodes({"n1"});
  const log::Capture log;
  AddPods(rig);
  EXPECT_THAT(Tried(rig), ElementsAre("default/high", "default/old", "default/young"));
  EXPECT_GT(Sorter(rig).faults(), 0u);
  EXPECT_THAT(log.Messages(), Contains(AllOf(HasSubstr("Plugin fault"), HasSubstr("FIFO"), HasSubstr("Less"),
                                             HasSubstr("pod=\"default/"), HasSubstr("lost my way"))));
}

TEST_F(AQueueSort, ThatIsLateHasAFault) {
  TestScheduler rig(Plans());
  int calls = 0;
  ScriptOfOrder() = [&](const sdk::Queued& a, const sdk::Queued& b) {
    if (++calls == 1) std::this_thread::sleep_for(std::chrono::milliseconds(80));
    return LastInFirstOut(a, b);
  };
  rig.AddNodes({"n1"});
  const log::Capture log;
  AddPods(rig);
  EXPECT_EQ(Tried(rig).size(), 3u);
  EXPECT_EQ(Sorter(rig).faults(), 1u);
  EXPECT_THAT(log.Messages(), Contains(HasSubstr("came back from Less after")));
}

TEST_F(AQueueSort, InQuarantineIsNotCalledAndDoesNotStopScheduling) {
  TestScheduler rig(Plans(/*quarantine_after=*/2));
  int calls = 0;
  ScriptOfOrder() = [&](auto&&...) -> bool {
    ++calls;
    throw std::runtime_error("again");
  };
  rig.AddNodes({"n1"});
  const log::Capture log;
  AddPods(rig, "1-");
  AddPods(rig, "2-");
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(Tried(rig), ElementsAre("default/1-high", "default/1-old", "default/1-young", "default/2-high",
                                      "default/2-old", "default/2-young"));
  EXPECT_THAT(log.Messages(), Contains(HasSubstr("Pods go by priority and age from now on")));
}

// When the order changes, the queue sorts all its pods again.
TEST_F(AQueueSort, InQuarantineLosesItsOrder) {
  TestScheduler rig(Plans(/*quarantine_after=*/1));
  int calls = 0;
  ScriptOfOrder() = [&](const sdk::Queued& a, const sdk::Queued& b) {
    if (++calls == 12) throw std::runtime_error("enough");
    return LastInFirstOut(a, b);
  };
  rig.AddNodes({"n1"});
  std::vector<std::string> wanted;
  for (int i = 0; i < 10; ++i) {
    rig.AddPod("p" + std::to_string(i));
    wanted.push_back("default/p" + std::to_string(i));
  }
  rig.Run();
  std::vector<std::string> tried = Tried(rig);
  // The queue gave the first pod out before the order changed, or while it changed.
  tried.erase(tried.begin());
  EXPECT_TRUE(std::is_sorted(tried.begin(), tried.end())) << testing::PrintToString(tried);
}

}  // namespace
}  // namespace berth::fixture
