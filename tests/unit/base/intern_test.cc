#include "base/intern.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace berth::base {
namespace {

TEST(InternTable, EqualTextsHaveEqualIds) {
  InternTable table;
  const Id a = table.Intern("zone-a");
  EXPECT_EQ(a, table.Intern("zone-a"));
  EXPECT_NE(a, table.Intern("zone-b"));
  EXPECT_EQ(table.Text(a), "zone-a");
  EXPECT_EQ(table.Intern(""), kEmptyId);
  EXPECT_EQ(table.Text(kNoId), "");
  EXPECT_EQ(table.Text(4000000000u), "");
}

TEST(InternTable, RemovesTextsAfterTwoEpochs) {
  InternTable table;
  const Id a = table.Intern("pod-1");
  table.Drop(a);
  EXPECT_EQ(table.Text(a), "pod-1");  // a call that borrowed it may still be running
  table.EndEpoch();
  EXPECT_EQ(table.Text(a), "pod-1");
  table.EndEpoch();
  EXPECT_EQ(table.Text(a), "");
  EXPECT_EQ(table.Find("pod-1"), kNoId);
  EXPECT_EQ(table.Intern("pod-2"), a);  // the number is used again
}

TEST(InternTable, InternedAgainBeforeTheEpochEndsSurvives) {
  InternTable table;
  const Id a = table.Intern("x");
  table.Drop(a);
  table.EndEpoch();
  EXPECT_EQ(table.Intern("x"), a);
  table.EndEpoch();
  table.EndEpoch();
  EXPECT_EQ(table.Text(a), "x");
  table.Drop(a);
  table.EndEpoch();
  table.EndEpoch();
  EXPECT_EQ(table.Find("x"), kNoId);
}

// A call that borrowed the id just before the last Drop may still read the text.
TEST(InternTable, ATextOutlivesItsLastDropByAFullEpoch) {
  struct Case {
    const char* name;
    std::vector<int> epochs_before_again;  // EndEpoch calls between a drop and the next Intern
  };
  const Case cases[] = {{.name = "dropped once", .epochs_before_again = {}},
                        {.name = "again in the same epoch", .epochs_before_again = {0}},
                        {.name = "again in the next epoch", .epochs_before_again = {1}},
                        {.name = "again and again", .epochs_before_again = {1, 1, 1}}};
  for (const Case& one : cases) {
    InternTable table;
    const Id id = table.Intern("web-0");
    table.Drop(id);
    for (const int epochs : one.epochs_before_again) {
      for (int i = 0; i < epochs; ++i) table.EndEpoch();
      ASSERT_EQ(table.Intern("web-0"), id) << one.name;
      table.Drop(id);
    }
    table.EndEpoch();
    EXPECT_EQ(table.Text(id), "web-0") << one.name;
    table.EndEpoch();
    EXPECT_EQ(table.Text(id), "") << one.name;
    EXPECT_EQ(table.Find("web-0"), kNoId) << one.name;
    EXPECT_EQ(table.size(), 2u) << one.name;
  }
}

TEST(InternTable, ChurnDoesNotGrowTheTable) {
  InternTable table;
  for (int i = 0; i < 100000; ++i) {
    table.Drop(table.Intern("cron-" + std::to_string(i)));
    if (i % 100 == 0) table.EndEpoch();
  }
  EXPECT_LT(table.size(), 500u);
}

TEST(InternTable, ReadsWhileOthersIntern) {
  InternTable table;
  const Id a = table.Intern("kept");
  std::jthread writer([&] {
    for (int i = 0; i < 20000; ++i) table.Intern("w" + std::to_string(i));
  });
  for (int i = 0; i < 20000; ++i) ASSERT_EQ(table.Text(a), "kept");
}

}  // namespace
}  // namespace berth::base
