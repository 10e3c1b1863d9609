// The fake host catches plugins that break the contract. They use the C tables, because the C++ layer prevents such
// mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A C plugin that runs a function of the test in every call. One instance at a time.
struct Rogue {
  berth_plugin face{};
  const berth_host* host = nullptr;
  const berth_cycles* cycles = nullptr;
  const berth_snapshot* snapshot = nullptr;

  std::function<void(Rogue&)> on_create, on_init, on_deactivate;
  std::function<berth_status(berth_cycle*)> on_pre_filter;
  std::function<berth_status(berth_cycle*, const berth_rows*, berth_verdict*)> on_filter;
  std::function<berth_status(berth_cycle*, const berth_rows*, int64_t*)> on_score;
  std::function<berth_status(berth_cycle*, berth_op*)> on_bind;

  static Rogue& It() {
    static Rogue rogue;
    return rogue;
  }
  static const berth_entry* Entry(uint32_t) {
    static constexpr berth_entry kEntry{sizeof(berth_entry),
                                        0,
                                        [] { return 1u; },
                                        [](uint32_t) -> const berth_descriptor* { return nullptr; },
                                        &Create,
                                        [](const char*, const char*) -> const void* { return nullptr; }};
    return &kEntry;
  }
  static berth_plugin* Create(const char*, const berth_host* host) {
    Rogue& self = It();
    self.host = host;
    self.face = {
        sizeof(berth_plugin), 0,          &self,   &Init,  [](berth_plugin*) { return BERTH_SUCCESS; }, &Deactivate,
        [](berth_plugin*) {}, &Extension, nullptr, nullptr};
    if (self.on_create) self.on_create(self);
    return &self.face;
  }
  static berth_status Init(berth_plugin*) {
    Rogue& self = It();
    self.cycles = static_cast<const berth_cycles*>(self.host->service(self.host, BERTH_SERVICE_CYCLE));
    self.snapshot = static_cast<const berth_snapshot*>(self.host->service(self.host, BERTH_SERVICE_SNAPSHOT));
    if (self.on_init) self.on_init(self);
    return BERTH_SUCCESS;
  }
  static void Deactivate(berth_plugin*) {
    if (It().on_deactivate) It().on_deactivate(It());
  }
  static const void* Extension(berth_plugin*, const char* id) {
    static constexpr berth_pre_filter kPreFilter{
        sizeof(berth_pre_filter), 0,
        [](berth_plugin*, berth_cycle* c, const berth_pod*, berth_names*) { return It().on_pre_filter(c); }};
    static constexpr berth_filter kFilter{sizeof(berth_filter),
                                          0,
                                          {BERTH_TOTAL, 0, 0, 0, 0},
                                          [](berth_plugin*, berth_cycle* c, const berth_pod*, const berth_rows* rows,
                                             berth_verdict* out) { return It().on_filter(c, rows, out); }};
    static constexpr berth_score kScore{sizeof(berth_score),
                                        BERTH_NORMALIZE_NONE,
                                        {},
                                        [](berth_plugin*, berth_cycle* c, const berth_pod*, const berth_rows* rows,
                                           int64_t* out) { return It().on_score(c, rows, out); },
                                        nullptr};
    static constexpr berth_bind kBind{
        sizeof(berth_bind), 0,
        [](berth_plugin*, berth_cycle* c, const berth_pod*, berth_id, berth_op* op) { return It().on_bind(c, op); }};
    if (std::strcmp(id, BERTH_POINT_PRE_FILTER) == 0) return &kPreFilter;
    if (std::strcmp(id, BERTH_POINT_FILTER) == 0) return &kFilter;
    if (std::strcmp(id, BERTH_POINT_SCORE) == 0) return &kScore;
    return std::strcmp(id, BERTH_POINT_BIND) == 0 ? &kBind : nullptr;
  }
};

class CheckerTest : public ::testing::Test {
 protected:
  CheckerTest() : plugin(&Rogue::Entry, "rogue"), rogue(Rogue::It()) {
    rogue = Rogue();
    plugin.cluster().Add(FakeNode("n1")).Add(FakeNode("n2"));
  }
  std::unique_ptr<Attempt> Try() {
    EXPECT_TRUE(plugin.Start().ok());
    return plugin.Try(FakePod());
  }
  Texts Filter(std::function<berth_status(berth_cycle*, const berth_rows*, berth_verdict*)> act) {
    rogue.on_filter = std::move(act);
    Try()->Filter();
    return plugin.Violations();
  }
  PluginUnderTest plugin;
  Rogue& rogue;
};

TEST_F(CheckerTest, AGoodPluginIsLeftInPeace) {
  EXPECT_THAT(Filter([](auto...) { return BERTH_SUCCESS; }), IsEmpty());
}

TEST_F(CheckerTest, HostCallsInCreate) {
  rogue.on_create = [](Rogue& self) { self.host->intern(self.host, Borrow("early")); };
  Try();
  EXPECT_THAT(plugin.Violations(), ElementsAre("intern() was called in create, where it must not be"));
}

TEST_F(CheckerTest, ColumnsOpenedOutsideOfActivate) {
  rogue.on_init = [](Rogue& self) { self.snapshot->open_column(self.host, BERTH_NODE_LABEL, 5); };
  Try();
  EXPECT_THAT(plugin.Violations(), ElementsAre("open_column() was called in init, where it must not be"));
}

TEST_F(CheckerTest, LabelColumnsThatWereNeverOpened) {
  EXPECT_THAT(Filter([this](berth_cycle* c, auto...) {
                berth_column column{sizeof(berth_column), 0, 0, 0, nullptr};
                rogue.snapshot->column(rogue.cycles->snap(c), BERTH_NODE_LABEL, IdOf("zone"), &column);
                return BERTH_SUCCESS;
              }),
              Contains("the label column \"zone\" was not opened in activate"));
}

TEST_F(CheckerTest, WritesOutsideOfOut) {
  EXPECT_THAT(Filter([](berth_cycle*, const berth_rows* rows, berth_verdict* out) {
                out[rows->n].code = BERTH_UNSCHEDULABLE;
                return BERTH_SUCCESS;
              }),
              Contains("Filter wrote outside of out"));
  rogue.on_score = [](berth_cycle*, const berth_rows*, int64_t* out) { return out[-1] = 3, BERTH_SUCCESS; };
  plugin.Try(FakePod())->Score();
  EXPECT_THAT(plugin.Violations(), Contains("Score wrote outside of out"));
}

TEST_F(CheckerTest, UnknownCodes) {
  EXPECT_THAT(Filter([](berth_cycle*, const berth_rows*, berth_verdict* out) {
                out[0].code = 99;
                return BERTH_SUCCESS;
              }),
              Contains("Filter judged n1 with the code 99"));
}

TEST_F(CheckerTest, UnknownStatuses) {
  EXPECT_THAT(Filter([](auto...) { return 17; }), Contains("Filter returned the unknown status 17"));
}

TEST_F(CheckerTest, StatusesOfAnotherPoint) {
  EXPECT_THAT(Filter([](auto...) { return BERTH_UNSCHEDULABLE; }),
              Contains("Filter returned status 2, which is no status of that point"));
}

TEST_F(CheckerTest, ErrorsWithoutAText) {
  EXPECT_THAT(Filter([](auto...) { return BERTH_ERROR; }), Contains("Filter returned ERROR without saying why"));
}

TEST_F(CheckerTest, ReasonsOfAnotherCall) {
  uint32_t kept = 0;
  EXPECT_THAT(Filter([&](berth_cycle* c, const berth_rows*, berth_verdict* out) {
                const berth_str text = Borrow("why");
                if (kept == 0) kept = rogue.cycles->reasons(rogue.host, c, &text, 1);
                out[0] = {BERTH_UNSCHEDULABLE, {}, kept};
                return BERTH_SUCCESS;
              }),
              IsEmpty());
  plugin.Try(FakePod())->Filter();
  EXPECT_THAT(plugin.Violations(), Contains("Filter judged n1 with reasons that were not made in the same call"));
}

TEST_F(CheckerTest, DenseAndPickedAnswersThatDiffer) {
  EXPECT_THAT(Filter([](berth_cycle*, const berth_rows* rows, berth_verdict* out) {
                if (rows->rows == nullptr) out[0].code = BERTH_UNSCHEDULABLE;
                return BERTH_SUCCESS;
              }),
              Contains("Filter judges n1 differently when asked densely"));
}

TEST_F(CheckerTest, CycleDataSetInAParallelCall) {
  EXPECT_THAT(Filter([this](berth_cycle* c, auto...) {
                rogue.cycles->set_data(rogue.host, c, BERTH_SLOT_CYCLE, this);
                return BERTH_SUCCESS;
              }),
              Contains("cycle set_data() was called in Filter, where it must not be"));
}

TEST_F(CheckerTest, OneDataInBothSlots) {
  rogue.on_pre_filter = [this](berth_cycle* c) {
    rogue.cycles->set_data(rogue.host, c, BERTH_SLOT_CYCLE, this);
    rogue.cycles->set_data(rogue.host, c, BERTH_SLOT_ATTEMPT, this);
    return BERTH_SUCCESS;
  };
  Try()->PreFilter();
  EXPECT_THAT(plugin.Violations(), ElementsAre("cycle set_data() with data that is set already"));
}

TEST_F(CheckerTest, ACycleOfAnotherCall) {
  berth_cycle* kept = nullptr;
  rogue.on_pre_filter = [&](berth_cycle* c) { return kept = c, BERTH_SUCCESS; };
  rogue.on_filter = [&](auto...) {
    (void)rogue.cycles->data(rogue.host, kept, BERTH_SLOT_CYCLE);
    return BERTH_SUCCESS;
  };
  const auto first = Try();
  first->PreFilter();
  plugin.Try(FakePod())->Filter({"n1"});
  EXPECT_THAT(plugin.Violations(),
              Contains("cycle data() was called with a cycle that is not the one of the call being made"));
}

TEST_F(CheckerTest, ASnapshotOfAnotherCycle) {
  const berth_snap* kept = nullptr;
  rogue.on_pre_filter = [&](berth_cycle* c) { return kept = rogue.cycles->snap(c), BERTH_SUCCESS; };
  rogue.on_filter = [&](auto...) { return (void)rogue.snapshot->rows(kept), BERTH_SUCCESS; };
  const auto first = Try();
  first->PreFilter();
  plugin.Try(FakePod())->Filter({"n1"});
  EXPECT_THAT(plugin.Violations(), Contains("a snapshot was used in Filter, which is not of its cycle"));
}

TEST_F(CheckerTest, BindsOutsideOfTheBindingCycle) {
  rogue.on_pre_filter = [this](berth_cycle*) {
    FakeOp op(plugin.host().checker());
    const auto pod = FakePod().Build();
    const auto* binder = static_cast<const berth_binder*>(rogue.host->service(rogue.host, BERTH_SERVICE_BINDER));
    binder->bind(rogue.host, pod->raw(), IdOf("n1"), op.raw());
    return BERTH_SUCCESS;
  };
  Try()->PreFilter();
  EXPECT_THAT(plugin.Violations(), ElementsAre("binder bind() was called in PreFilter, where it must not be"));
}

TEST_F(CheckerTest, OperationsEndedTwiceOrWithoutLater) {
  rogue.on_bind = [](berth_cycle*, berth_op* op) {
    op->done(op, BERTH_SUCCESS, nullptr, 0);
    op->done(op, BERTH_SUCCESS, nullptr, 0);
    return BERTH_SUCCESS;
  };
  Try()->Bind("n1");
  EXPECT_THAT(plugin.Violations(),
              ElementsAre("op->done() was called twice", "Bind ended its op and did not return LATER"));
}

TEST_F(CheckerTest, IdsGivenBackTooOften) {
  rogue.on_init = [](Rogue& self) {
    const Id id = self.host->intern(self.host, Borrow("once"));
    self.host->drop(self.host, id);
    self.host->drop(self.host, id);
  };
  Try();
  EXPECT_THAT(plugin.Violations(), ElementsAre("drop() of the id of \"once\", which the instance does not own"));
}

TEST_F(CheckerTest, CallsAfterDestroy) {
  Try();
  plugin.Stop();
  rogue.host->intern(rogue.host, Borrow("late"));
  EXPECT_THAT(plugin.Violations(), ElementsAre("intern() was called outside of the instance's life"));
}

TEST_F(CheckerTest, ScoresOutOfRange) {
  rogue.on_score = [](auto...) { return BERTH_SUCCESS; };
  Try()->Normalize({{"n1", 101}, {"n2", 100}});
  EXPECT_THAT(plugin.Violations(), ElementsAre("the normalised score of n1 is 101, not in 0..100"));
}

TEST_F(CheckerTest, MistakesOfTheTestThrow) {
  EXPECT_THROW(plugin.Try(FakePod()), std::logic_error) << "not started";
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_THROW(plugin.Start(), std::logic_error);
  EXPECT_THROW(plugin.Try(FakePod())->Reserve("n1"), std::logic_error) << "no such table";
  EXPECT_THROW(plugin.Try(FakePod())->Filter({"n3"}), std::invalid_argument);
  EXPECT_THROW(PluginUnderTest::Load("/nowhere.so", "x"), std::runtime_error);
}

TEST_F(CheckerTest, ReasonsOfCallsWithoutAStatusAreFaults) {
  const auto because = [](Rogue& self, berth_cycle* cycle, const char* text) {
    const berth_str why{text, std::strlen(text)};
    self.host->because(self.host, cycle, &why, 1);
  };
  rogue.on_pre_filter = [&](berth_cycle* cycle) { return because(rogue, cycle, "no node"), BERTH_UNSCHEDULABLE; };
  rogue.on_deactivate = [&](Rogue& self) { because(self, nullptr, "it broke"); };
  EXPECT_THAT(Try()->PreFilter().reasons, ElementsAre("no node"));
  plugin.Stop();
  EXPECT_THAT(plugin.host().checker().Faults(), ElementsAre("it broke"));
  EXPECT_THAT(plugin.Violations(), IsEmpty());
}

using CheckerDeathTest = CheckerTest;
TEST_F(CheckerDeathTest, ViolationsThatNobodyLookedAtAbort) {
  EXPECT_DEATH(
      {
        PluginUnderTest unseen(&Rogue::Entry, "rogue");
        rogue.on_init = [](Rogue& self) { self.snapshot->open_column(self.host, BERTH_NODE_LABEL, 5); };
        (void)unseen.Start();
      },
      "plugin rogue: open_column\\(\\) was called in init");
}

}  // namespace
}  // namespace berth::sdk::testing
