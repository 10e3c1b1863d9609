#include "cluster/daemon/step_monitor.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace berth::daemon {
namespace {

using base::kSecond;

struct StepMonitorTest : testing::Test {
  StepMonitor monitor{2 * kSecond};
  base::VirtualClock clock{0};
  // Calls Look once per second.
  void LookFor(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      clock.Advance(kSecond);
      monitor.Look(clock.MonoNs());
    }
  }
};

TEST_F(StepMonitorTest, CountsTheTimeInOneStep) {
  LookFor(5);
  EXPECT_EQ(monitor.stuck_ns(), 0) << "it has not begun";
  monitor.Step();
  LookFor(1);
  EXPECT_EQ(monitor.stuck_ns(), 0) << "the step may have begun just now";
  LookFor(60);
  EXPECT_EQ(monitor.stuck_ns(), 60 * kSecond);
  monitor.Step();
  LookFor(1);
  EXPECT_EQ(monitor.stuck_ns(), 0);
  LookFor(3);
  EXPECT_EQ(monitor.stuck_ns(), 3 * kSecond);
}

TEST_F(StepMonitorTest, RestIsNoStep) {
  monitor.Step();
  monitor.Rest();
  LookFor(100);
  EXPECT_EQ(monitor.stuck_ns(), 0);
  monitor.Step();
  LookFor(11);
  EXPECT_EQ(monitor.stuck_ns(), 10 * kSecond);
}

TEST_F(StepMonitorTest, AStoppedProcessIsNotStuck) {
  monitor.Step();
  LookFor(2);
  clock.Advance(600 * kSecond);  // SIGSTOP: neither thread runs
  monitor.Look(clock.MonoNs());
  EXPECT_EQ(monitor.stuck_ns(), 3 * kSecond) << "of the stop, only the time between two looks counts";
}

}  // namespace
}  // namespace berth::daemon
