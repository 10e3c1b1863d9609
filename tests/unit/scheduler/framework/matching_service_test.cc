// The service table of berth/matching.h.
#include <gtest/gtest.h>

#include <string>

#include "api/pod.h"
#include "plugin/instance/instance.h"
#include "scheduler/framework/cluster_services.h"
#include "scheduler/framework/matching_service.h"
#include "scripted.h"

namespace berth::framework {
namespace {

class MatchingServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    AddClusterServices(services_);
    auto instance = plugin::Instance::Create(
        {.library = fixture::ScriptedLibrary(), .library_plugin = "A", .name = "A", .profile = "default"}, services_);
    ASSERT_TRUE(instance) << instance.error().message;
    instance_ = *instance;
    const void* table = instance_->host()->service(instance_->host(), BERTH_SERVICE_MATCHING);
    ASSERT_EQ(table, MatchingService());
    matching_ = static_cast<const berth_matching*>(table);
  }
  void TearDown() override { instance_.reset(); }

  api::PodRef Pod(const std::string& labels, const std::string& selector = "null") {
    const auto pod =
        api::DecodePod(intern_, R"({"metadata":{"name":"p","namespace":"ns","labels":)" + labels +
                                    R"(},"spec":{"topologySpreadConstraints":[{"labelSelector":)" + selector + "}]}}");
    EXPECT_TRUE(pod) << pod.error().message;
    return *pod;
  }
  static const berth_selector* SelectorOf(const api::Pod& pod) {
    return BERTH_AT(pod.abi.spread->items, berth_spread_constraint, 0)->selector;
  }
  template <class Keep>
  const berth_selector* Kept(Keep keep, const std::string& text) {
    const auto value = json::Parse(text);
    EXPECT_TRUE(value) << text;
    return keep(instance_->host(), reinterpret_cast<const berth_value*>(&*value));
  }
  const berth_selector* Keep(const std::string& text) { return Kept(matching_->keep, text); }
  const berth_selector* KeepMap(const std::string& text) { return Kept(matching_->keep_map, text); }
  bool Matches(const berth_selector* selector, const std::string& labels) {
    return matching_->match(selector, Pod(labels)->abi.labels) == 1;
  }
  std::string Error(const berth_selector* selector) {
    const berth_str text = matching_->error(instance_->host(), selector);
    return {text.ptr, text.len};
  }

  api::InternTables intern_;
  plugin::Services services_{intern_};
  std::shared_ptr<plugin::Instance> instance_;
  const berth_matching* matching_ = nullptr;
};

TEST_F(MatchingServiceTest, SelectorsOfPods) {
  const api::PodRef pod = Pod("{}", R"({"matchLabels":{"app":"web"}})");
  EXPECT_TRUE(Matches(SelectorOf(*pod), R"({"app":"web","x":"y"})"));
  EXPECT_FALSE(Matches(SelectorOf(*pod), R"({"app":"db"})"));
  EXPECT_EQ(Error(SelectorOf(*pod)), "");
  EXPECT_FALSE(Matches(SelectorOf(*Pod("{}")), "{}")) << "a nil selector";
}

TEST_F(MatchingServiceTest, ErrorsHaveTheTextOfKubeScheduler) {
  const api::PodRef pod = Pod("{}", R"({"matchExpressions":[{"key":"a","operator":"in","values":["b"]}]})");
  EXPECT_EQ(Error(SelectorOf(*pod)), R"("in" is not a valid label selector operator)");
  EXPECT_FALSE(Matches(SelectorOf(*pod), R"({"a":"b"})"));
}

TEST_F(MatchingServiceTest, KeptSelectorsEqualThoseOfPods) {
  const std::string text =
      R"({"matchExpressions":[{"key":"a","operator":"In","values":["b"]}],"matchLabels":{"z":"1","c":"2"}})";
  const api::PodRef pod = Pod("{}", text);
  EXPECT_EQ(Keep(text), SelectorOf(*pod));
  EXPECT_EQ(
      Keep(R"({"matchLabels":{"c":"2","z":"1"},"matchExpressions":[{"values":["b"],"operator":"In","key":"a"}]})"),
      SelectorOf(*pod));
  EXPECT_TRUE(Matches(SelectorOf(*pod), R"({"a":"b","c":"2","z":"1"})"));
  EXPECT_EQ(KeepMap(R"({"app":"web"})"), Keep(R"({"matchLabels":{"app":"web"}})"));
}

TEST_F(MatchingServiceTest, NilAndEmpty) {
  const berth_selector* nil = Keep("null");
  EXPECT_EQ(nil->has, 0u);
  EXPECT_EQ(matching_->keep(instance_->host(), nullptr), nil);
  EXPECT_EQ(KeepMap("null"), nil);
  EXPECT_FALSE(Matches(nil, "{}"));
  EXPECT_TRUE(Matches(Keep("{}"), "{}"));
  EXPECT_EQ(KeepMap("{}"), Keep("{}"));
  EXPECT_NE(nil->content, Keep("{}")->content);
}

TEST_F(MatchingServiceTest, KeptUntilEveryKeepIsDropped) {
  const size_t blocks = intern_.blocks.size();
  const berth_selector* selector = KeepMap(R"({"app":"web"})");
  EXPECT_EQ(KeepMap(R"({"app":"web"})"), selector);
  matching_->drop(instance_->host(), selector);
  EXPECT_EQ(intern_.blocks.size(), blocks + 1);
  EXPECT_TRUE(Matches(selector, R"({"app":"web"})"));
  matching_->drop(instance_->host(), selector);
  EXPECT_EQ(intern_.blocks.size(), blocks);
  matching_->drop(instance_->host(), selector);  // an extra drop has no effect
  KeepMap(R"({"app":"web"})");
  instance_.reset();
  EXPECT_EQ(intern_.blocks.size(), blocks) << "the host frees what an instance leaves";
}

}  // namespace
}  // namespace berth::framework
