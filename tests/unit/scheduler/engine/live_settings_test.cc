// The settings of a policy take effect when it is published, with its profiles.
#include <gtest/gtest.h>

#include <optional>

#include "telemetry/log/log.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

class LiveSettingsTest : public testing::Test {
 protected:
  ~LiveSettingsTest() override { log::SetVerbosity(verbosity_); }
  void SubmitWith(std::optional<framework::LiveSettings> settings) {
    const framework::ProfileSet& before = rig_.simulation->engine().profiles();
    auto set = BuildSet({{}}, rig_.services, before.generation + 1, &before);
    ASSERT_TRUE(set) << set.error().message;
    (*set)->settings = settings;
    rig_.simulation->engine().SubmitCandidate(std::move(*set), [this](base::Result<void> end) { end_ = end; });
  }

  const int verbosity_ = log::Verbosity();
  TestScheduler rig_;
  std::optional<base::Result<void>> end_;
};

TEST_F(LiveSettingsTest, TakeEffectWithThePublication) {
  rig_.AddNodes({"n1"});
  rig_.Run();
  SubmitWith(framework::LiveSettings{.verbosity = verbosity_ + 3});
  EXPECT_EQ(log::Verbosity(), verbosity_);
  rig_.Run();
  ASSERT_TRUE(end_ && *end_);
  EXPECT_EQ(log::Verbosity(), verbosity_ + 3);
}

TEST_F(LiveSettingsTest, APolicyWithoutSettingsChangesNone) {
  rig_.AddNodes({"n1"});
  rig_.Run();
  SubmitWith(std::nullopt);
  rig_.Run();
  ASSERT_TRUE(end_ && *end_);
  EXPECT_EQ(log::Verbosity(), verbosity_);
}

}  // namespace
}  // namespace berth::fixture
