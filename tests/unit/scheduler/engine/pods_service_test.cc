// The pods that plugins list by label.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/pods.hpp"
#include "scheduler/engine/pod_lister.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kWeb = R"("labels":{"app":"web"})";
constexpr const char* kDb = R"("labels":{"app":"db"})";

std::vector<std::string> NamesListed(const berth_list& pods) {
  std::vector<std::string> names;
  for (const Pod& pod : sdk::PodList(pods)) names.emplace_back(pod.name());
  return names;
}

// A separate lister, and the ids of "default" and of the label.
class PodListerTest : public testing::Test {
 protected:
  api::PodRef Set(const std::string& name, const std::string& metadata) {
    api::PodRef pod = MakePod(intern_, name, "", metadata);
    lister_.Set(pod);
    return pod;
  }
  std::vector<std::string> Web() { return NamesListed(lister_.Labeled(ns_.get(), key_.get(), web_.get())); }

  api::InternTables intern_;
  engine::PodLister lister_{intern_.ids};
  base::OwnedId ns_{intern_.ids, "default"}, key_{intern_.ids, "app"}, web_{intern_.ids, "web"};
};

TEST_F(PodListerTest, ListsPodsSortedByNameFromTheFirstCallOn) {
  Set("b", kWeb);
  Set("a", kWeb);
  Set("other", kDb);
  Set("none", "");
  EXPECT_THAT(Web(), ElementsAre("a", "b"));
  Set("aa", kWeb);
  EXPECT_THAT(Web(), ElementsAre("a", "aa", "b"));
}

TEST_F(PodListerTest, FollowsChangesOfLabelsAndDeletions) {
  const api::PodRef a = Set("a", kWeb);
  EXPECT_THAT(Web(), ElementsAre("a"));
  Set("a", kDb);
  EXPECT_THAT(Web(), IsEmpty());
  const api::PodRef again = Set("a", kWeb);
  EXPECT_THAT(Web(), ElementsAre("a"));
  lister_.Erase(again);
  EXPECT_THAT(Web(), IsEmpty());
}

TEST_F(PodListerTest, ShowsTheNewestVersion) {
  Set("a", kWeb);
  Web();
  const api::PodRef newer = Set("a", kWeb);
  const sdk::PodList list = lister_.Labeled(ns_.get(), key_.get(), web_.get());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].raw(), &newer->abi);
}

TEST_F(PodListerTest, AnUnknownKeyHasNoPodsAndTakesNoMemory) {
  Set("a", kWeb);
  for (const berth_id key : {berth_id{1} << 20, ~berth_id{0} - 1}) {
    EXPECT_THAT(NamesListed(lister_.Labeled(ns_.get(), key, web_.get())), IsEmpty());
  }
  EXPECT_EQ(lister_.listed_keys(), 0u);
}

TEST(PodsService, ShowsPendingAndBoundPodsToPlugins) {
  TestScheduler rig;
  rig.AddNodes({"n1"});
  std::vector<std::vector<std::string>> seen;
  ScriptOf("A").pre_filter = [&](Cycle&, const Pod& pod, sdk::NameSet&) {
    const sdk::PodLister pods(HostOf("A"));
    std::vector<std::string> names;
    for (const Pod& one : pods.Labeled(pod.ns(), HostOf("A").Intern("app"), HostOf("A").Intern("web"))) {
      names.push_back(std::string(one.name()) + (one.node_name() == sdk::kNoId ? "" : " bound"));
    }
    seen.push_back(names);
    return Status::Ok();
  };
  rig.AddPod("p1", "", kWeb);
  rig.Run();
  rig.AddPod("p2", "", kWeb);
  rig.Run();
  EXPECT_THAT(seen, ElementsAre(ElementsAre("p1"), ElementsAre("p1 bound", "p2")));
}

}  // namespace
}  // namespace berth::fixture
