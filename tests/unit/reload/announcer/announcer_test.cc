#include "reload/announcer/announcer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "reload/announcer/swap_event.h"
#include "telemetry/log/capture.h"

namespace berth::announcer {
namespace {

using reload::Report;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AnnouncerTest : public testing::Test {
 protected:
  std::string Announced(const Report& report) {
    const log::Capture log;
    Announcer(registry_, [this](events::EventRecord event) { events_.push_back(std::move(event)); },
              {"ns", "pod", "uid", ""})
        .Announce(report);
    return log.Messages().empty() ? "" : log.Messages().front();
  }

  metrics::Registry registry_;
  std::vector<events::EventRecord> events_;
};

TEST_F(AnnouncerTest, APublishedPolicyIsOneLineOneEventAndMetrics) {
  const std::string line = Announced({.result = reload::Result::kPublished,
                                      .generation = 4,
                                      .causes = {"/config.yaml"},
                                      .changes = {"parallelism 3", "verbosity 4"},
                                      .steps = {{"read", std::chrono::milliseconds(5)}}});
  EXPECT_THAT(line, AllOf(HasSubstr("\"Published a new policy\" generation=4"), HasSubstr("parallelism 3"),
                          HasSubstr("/config.yaml"), HasSubstr("read=5ms")));
  ASSERT_THAT(events_, SizeIs(1));
  EXPECT_EQ(events_[0].type, "Normal");
  EXPECT_EQ(events_[0].reason, "PolicyPublished");
  EXPECT_EQ(events_[0].note, "Published generation 4: parallelism 3; verbosity 4");
  EXPECT_EQ(events_[0].regarding.name, "pod");
  EXPECT_THAT(registry_.Text(), AllOf(HasSubstr("berth_swap_total{result=\"published\"} 1\n"),
                                      HasSubstr("berth_swap_duration_seconds_count{step=\"read\"} 1\n"),
                                      HasSubstr("berth_policy_generation 4\n")));
}

TEST_F(AnnouncerTest, ARejectedChangeNamesTheStepAndTheReason) {
  const std::string line = Announced({.result = reload::Result::kRejected,
                                      .generation = 3,
                                      .causes = {"/config.yaml"},
                                      .step = "canary",
                                      .problems = {"it crashed", "it hung"}});
  EXPECT_THAT(line, AllOf(HasSubstr("\"Rejected a policy change, the current policy stays active\" generation=3"),
                          HasSubstr("step=\"canary\""), HasSubstr("it crashed; it hung")));
  ASSERT_THAT(events_, SizeIs(1));
  EXPECT_EQ(events_[0].type, "Warning");
  EXPECT_EQ(events_[0].reason, "PolicyRejected");
  EXPECT_EQ(events_[0].note, "Rejected a policy change at step canary, generation 3 stays active: it crashed; it hung");
  EXPECT_THAT(registry_.Text(), HasSubstr("berth_swap_total{result=\"refused\"} 1\n"));
}

TEST_F(AnnouncerTest, ARollbackNamesItsCause) {
  const std::string line =
      Announced({.result = reload::Result::kRolledBack, .generation = 5, .causes = {"plugin P failed"}});
  EXPECT_THAT(line, AllOf(HasSubstr("\"Rolled back to the previous policy\""), HasSubstr("plugin P failed")));
  ASSERT_THAT(events_, SizeIs(1));
  EXPECT_EQ(events_[0].reason, "PolicyRolledBack");
  EXPECT_EQ(events_[0].note, "Rolled back to the previous policy as generation 5: plugin P failed");
  EXPECT_THAT(registry_.Text(), HasSubstr("berth_swap_total{result=\"rolled_back\"} 1\n"));
}

TEST_F(AnnouncerTest, AnUnchangedPolicyIsCountedOnly) {
  EXPECT_EQ(Announced({.result = reload::Result::kUnchanged, .generation = 3}), "");
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_THAT(registry_.Text(), HasSubstr("berth_swap_total{result=\"unchanged\"} 1\n"));
}

TEST(SwapEvent, ANoteIsAsShortAsTheApiServerWants) {
  std::string text;
  while (text.size() < 2000) text += "\xC3\xA4";
  const auto event = SwapEvent({.result = reload::Result::kPublished, .generation = 2, .changes = {text}}, {});
  ASSERT_TRUE(event);
  EXPECT_LE(event->note.size(), 1024u);
  EXPECT_TRUE(event->note.ends_with("..."));
}

TEST(SwapEvent, IsAboutThePodOrElseTheLease) {
  config::Configuration configuration;
  configuration.leader_election.resource_namespace = "kube-system";
  configuration.leader_election.resource_name = "berth";
  unsetenv("POD_NAME");
  EXPECT_EQ(OwnObject(configuration).kind, "Lease");
  EXPECT_EQ(OwnObject(configuration).name, "berth");
  setenv("POD_NAMESPACE", "ns", 1);
  setenv("POD_NAME", "scheduler-0", 1);
  EXPECT_EQ(OwnObject(configuration).kind, "Pod");
  EXPECT_EQ(OwnObject(configuration).name, "scheduler-0");
  unsetenv("POD_NAMESPACE");
  unsetenv("POD_NAME");
}

}  // namespace
}  // namespace berth::announcer
