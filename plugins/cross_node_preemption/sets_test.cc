// The walk through sets, against all subsets of small numbers of things.
#include "sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace cross_node_test {
namespace {

using plugins::cross_node::SetWalk;
using testing::ElementsAre;
using testing::IsEmpty;

using Set = std::vector<uint32_t>;

// Records the sets, and may skip some sets or stop.
struct Recorder {
  std::set<Set> left_out;
  size_t stop_after = SIZE_MAX;
  Set inside;
  std::vector<Set> judged;

  bool Enter(uint32_t thing) {
    inside.push_back(thing);
    if (!left_out.contains(inside)) return true;
    inside.pop_back();
    return false;
  }
  void Leave(uint32_t thing) {
    EXPECT_EQ(inside.back(), thing);
    inside.pop_back();
  }
  bool Judge() {
    judged.push_back(inside);
    return judged.size() < stop_after;
  }
};

TEST(SetWalkTest, SmallSetsComeFirst) {
  Recorder recorder;
  EXPECT_TRUE(SetWalk(recorder, 3, 100).Run());
  EXPECT_THAT(recorder.judged, ElementsAre(Set{0}, Set{1}, Set{2}, Set{0, 1}, Set{0, 2}, Set{1, 2}, Set{0, 1, 2}));
  EXPECT_THAT(recorder.inside, IsEmpty());
}

TEST(SetWalkTest, EverySetComesOnce) {
  for (uint32_t things = 0; things <= 12; ++things) {
    Recorder recorder;
    EXPECT_TRUE(SetWalk(recorder, things, 4096).Run());
    EXPECT_EQ(recorder.judged.size(), (size_t{1} << things) - 1);
    EXPECT_EQ(std::set<Set>(recorder.judged.begin(), recorder.judged.end()).size(), recorder.judged.size());
    EXPECT_TRUE(std::is_sorted(recorder.judged.begin(), recorder.judged.end(),
                               [](const Set& a, const Set& b) { return a.size() < b.size(); }));
  }
}

TEST(SetWalkTest, SetsThatBeginWithOneThatIsLeftOutDoNotCome) {
  Recorder recorder;
  recorder.left_out = {{0, 1}, {2}};
  EXPECT_TRUE(SetWalk(recorder, 4, 100).Run());
  EXPECT_THAT(recorder.judged, ElementsAre(Set{0}, Set{1}, Set{3}, Set{0, 2}, Set{0, 3}, Set{1, 2}, Set{1, 3},
                                           Set{0, 2, 3}, Set{1, 2, 3}));
}

TEST(SetWalkTest, EndsIfASizeHasNoSetLeft) {
  Recorder recorder;
  recorder.left_out = {{0}, {1}, {2}};
  EXPECT_TRUE(SetWalk(recorder, 3, 3).Run());
  EXPECT_THAT(recorder.judged, IsEmpty());
}

TEST(SetWalkTest, CountsSetsThatAreJudgedOrLeftOut) {
  Recorder recorder;
  recorder.left_out = {{1}};
  EXPECT_FALSE(SetWalk(recorder, 3, 4).Run());
  EXPECT_THAT(recorder.judged, ElementsAre(Set{0}, Set{2}, Set{0, 1}));
  Recorder all;
  EXPECT_TRUE(SetWalk(all, 3, 7).Run());
  Recorder one_less;
  EXPECT_FALSE(SetWalk(one_less, 3, 6).Run());
  EXPECT_EQ(one_less.judged.size(), 6u);
}

TEST(SetWalkTest, TheVisitorCanEndIt) {
  Recorder recorder;
  recorder.stop_after = 5;
  EXPECT_TRUE(SetWalk(recorder, 4, 100).Run()) << "not for want of sets";
  EXPECT_EQ(recorder.judged.size(), 5u);
  EXPECT_THAT(recorder.inside, IsEmpty());
}

}  // namespace
}  // namespace cross_node_test
