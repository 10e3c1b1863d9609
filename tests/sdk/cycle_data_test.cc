// Data of an attempt: it has a type and two slots, is copied for trials, and is freed once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Counts its objects.
struct Counted {
  static int& alive() {
    static int alive = 0;
    return alive;
  }
  explicit Counted(int v) : value(v) { ++alive(); }
  Counted(const Counted& other) : value(other.value) { ++alive(); }
  ~Counted() { --alive(); }
  int value;
};
struct Unique : Counted {
  using Counted::Counted;
  Unique(const Unique&) = delete;
};
struct Explosive {
  Explosive() = default;
  Explosive(const Explosive&) { throw std::runtime_error("no copy today"); }
};

template <class T>
struct Keeper {
  static constexpr Info kInfo{.name = "keeper"};
  Status PreFilter(Cycle& c, const Pod&) {
    EXPECT_EQ(c.Find<T>(), nullptr);
    c.Set<T>(1);
    c.Set<T>(2);  // the first is freed
    c.SetAttempt<T>(10);
    return Status::Skip();
  }
  Verdict Filter(Cycle& c, const Pod&, Node) {
    return c.Get<T>().value == 2 ? Verdict::Ok() : Verdict::Unschedulable(c.Reasons("changed"));
  }
  Status AddPod(Cycle& c, const Pod&, const Pod&, Node) { return ++c.Get<T>().value, Status::Ok(); }
  Status PreBind(Cycle& c, const Pod&, Id) {
    EXPECT_EQ(c.GetAttempt<T>().value, 10);
    c.SetAttempt<T>(11);
    return Status::Ok();
  }
};

template <class T>
void RunKeeper(bool trial_sees_parent) {
  {
    PluginUnderTest plugin = TestPlugin<Keeper<T>>();
    plugin.cluster().Add(FakeNode("n1"));
    ASSERT_TRUE(plugin.Start().ok());
    {
      const auto attempt = plugin.Try(FakePod());
      EXPECT_EQ(attempt->PreFilter().code, BERTH_SKIP);
      {
        const auto trial = attempt->Trial();
        EXPECT_TRUE(trial->AddPod(FakePod("x"), "n1").ok());
        EXPECT_FALSE(trial->Filter().nodes.at("n1").ok()) << "the trial's own data changed";
      }
      EXPECT_EQ(attempt->Filter().nodes.at("n1").ok(), !trial_sees_parent);
      EXPECT_TRUE(attempt->PreBind("n1").ok());
      EXPECT_EQ(Counted::alive(), 2);
    }
    EXPECT_EQ(Counted::alive(), 0) << "the attempt is over";
    EXPECT_THAT(plugin.Violations(), IsEmpty());
  }
  EXPECT_EQ(Counted::alive(), 0);
}

TEST(CycleDataTest, CopiedForTrials) { RunKeeper<Counted>(false); }
TEST(CycleDataTest, SharedWhenItCannotBeCopied) { RunKeeper<Unique>(true); }

struct Mixed {
  static constexpr Info kInfo{.name = "mixed"};
  Status PreEnqueue(Cycle& c, const Pod&) { return (void)c.Get<int>(), Status::Ok(); }
  Status PreFilter(Cycle& c, const Pod&) { return c.Set<Explosive>(), Status::Ok(); }
  Status Reserve(Cycle& c, const Pod&, Id) { return (void)c.Find<double>(), Status::Ok(); }
  Status AddPod(Cycle& c, const Pod&, const Pod&, Node) {
    return c.Find<Explosive>() == nullptr ? Status::Error("no data") : Status::Ok();
  }
};

TEST(CycleDataTest, WrongTypesAndAbsentDataThrow) {
  PluginUnderTest plugin = TestPlugin<Mixed>();
  plugin.cluster().Add(FakeNode("n1"));
  ASSERT_TRUE(plugin.Start().ok());
  const auto attempt = plugin.Try(FakePod());
  EXPECT_THAT(attempt->PreEnqueue().reasons, ElementsAre("plugin mixed: PreEnqueue threw: the cycle data was not set"));
  EXPECT_TRUE(attempt->PreFilter().ok());
  EXPECT_THAT(attempt->Reserve("n1").reasons,
              ElementsAre("plugin mixed: Reserve threw: the cycle data is of another type"));
  EXPECT_THAT(attempt->Trial()->AddPod(FakePod("x"), "n1").reasons, ElementsAre("no data"))
      << "a copy that throws is no data";
}

// Without AddPod and RemovePod, trials cannot change the data, so they share it.
struct Immutable {
  static constexpr Info kInfo{.name = "immutable"};
  Status PreFilter(Cycle& c, const Pod&) { return c.Set<Counted>(5), Status::Ok(); }
  Verdict Filter(Cycle& c, const Pod&, Node) {
    return c.Get<Counted>().value == 5 ? Verdict::Ok() : Verdict::Error(c.Reasons("?"));
  }
};

TEST(CycleDataTest, PluginsThatAreNotToldOfTrialsShareIt) {
  PluginUnderTest plugin = TestPlugin<Immutable>();
  plugin.cluster().Add(FakeNode("n1"));
  ASSERT_TRUE(plugin.Start().ok());
  {
    const auto attempt = plugin.Try(FakePod());
    ASSERT_TRUE(attempt->PreFilter().ok());
    const auto trial = attempt->Trial();
    EXPECT_EQ(Counted::alive(), 1);
    EXPECT_TRUE(trial->Filter().nodes.at("n1").ok());
  }
  EXPECT_EQ(Counted::alive(), 0);
}

}  // namespace
TEST(CycleDataTest, OneFreedBlockIsKeptForTheNextValue) {
  detail::SpareBlock spare(48, 64);
  void* const first = spare.Take();
  void* const second = spare.Take();
  EXPECT_NE(first, second);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
  spare.Give(first);
  EXPECT_EQ(spare.Take(), first);
  spare.Give(first);
  spare.Give(second);  // frees the first one
  EXPECT_EQ(spare.Take(), second);
  spare.Give(second);
}

}  // namespace berth::sdk::testing
