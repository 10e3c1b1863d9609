#include "api/pod_status.h"

#include <gtest/gtest.h>

#include "api/pod.h"

namespace berth::api {
namespace {

class PodStatusTest : public testing::Test {
 protected:
  PodRef Decode(const std::string& name, const std::string& status) {
    return *DecodePod(intern_, R"({"metadata":{"name":")" + name + R"(","namespace":"ns"},"status":)" + status + "}");
  }
  InternTables intern_;
};

TEST_F(PodStatusTest, PodsWithEqualOnesShareThem) {
  const std::string bound = R"({"phase":"Running","conditions":[{"type":"PodScheduled","status":"True"}]})";
  const PodRef one = Decode("a", bound), other = Decode("b", bound);
  EXPECT_EQ(&one->status(), &other->status());
  EXPECT_EQ(one->phase(), "Running");
  EXPECT_EQ(one->scheduled_condition().status, "True");
}

TEST_F(PodStatusTest, EveryTextDistinguishesThem) {
  const PodRef plain = Decode("p", R"({"phase":"Pending"})");
  for (const char* other : {
           R"({"phase":"Running"})",
           R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False"}]})",
           R"({"phase":"Pending","conditions":[{"type":"PodScheduled","reason":"x"}]})",
           R"({"phase":"Pending","conditions":[{"type":"PodScheduled","message":"x"}]})",
           R"({"phase":"Pending","resourceClaimStatuses":[{"name":"x"}]})",
       }) {
    EXPECT_NE(&Decode("q", other)->status(), &plain->status()) << other;
  }
}

TEST_F(PodStatusTest, ACopyGetsItsOwnConditionAndKeepsTheRest) {
  const PodRef pod = Decode("p", R"({"phase":"Pending","resourceClaimStatuses":[{"name":"x"}]})");
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*pod);
  copy->SetScheduledCondition({"False", "Unschedulable", "no", 3});
  EXPECT_EQ(copy->scheduled_condition().message, "no");
  EXPECT_EQ(copy->scheduled_condition().observed_generation, 3);
  EXPECT_EQ(copy->phase(), "Pending");
  EXPECT_EQ(copy->status().claim_statuses, pod->status().claim_statuses);
  EXPECT_EQ(pod->scheduled_condition().status, "");
}

TEST_F(PodStatusTest, ABlankPodHasAnEmptyOne) {
  const Ref<Pod> blank(new Pod(intern_));
  EXPECT_EQ(blank->phase(), "");
  EXPECT_FALSE(blank->terminal());
}

TEST_F(PodStatusTest, TheNameOutlivesThePodItWasCopiedFrom) {
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*Decode("a-name-that-is-too-long-for-a-small-string", "{}"));
  EXPECT_EQ(copy->name(), "a-name-that-is-too-long-for-a-small-string");
  copy->SetIdentity("elsewhere", copy->name(), copy->uid(), copy->resource_version());
  EXPECT_EQ(copy->key(), "elsewhere/a-name-that-is-too-long-for-a-small-string");
  EXPECT_EQ(copy->name(), "a-name-that-is-too-long-for-a-small-string");
}

}  // namespace
}  // namespace berth::api
