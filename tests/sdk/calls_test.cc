// Data of the less common calls: name sets, waits, nominations, queue order, events, deltas, waiting pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Busy {
  static constexpr Info kInfo{.name = "busy"};
  explicit Busy(Host& h) : host(h) {}

  Status PreFilter(Cycle&, const Pod& pod, NameSet& out) {
    if (pod.name() == "nowhere") out.Narrow();
    if (pod.name() == "some") out.Add(IdOf("b")), out.Add(IdOf("a"));
    return Status::Ok();
  }
  bool Less(const Queued& a, const Queued& b) {
    if (a.pod().priority() != b.pod().priority()) return a.pod().priority() > b.pod().priority();
    return a->queued_unix_ns < b->queued_unix_ns;
  }
  Status PostFilter(Cycle& c, const Pod& pod, const Diagnosis& why, Nomination& out) {
    const auto row = c.snap().RowOf(IdOf("n2"));
    if (why.verdict(*row).code != BERTH_UNSCHEDULABLE || why.absent().code != BERTH_UNRESOLVABLE) {
      return Status::Unschedulable("no help");
    }
    if (pod.name() == "clears") {
      out.Clear();
    } else {
      out.Set(IdOf("n2"));
    }
    return Status::Ok();
  }
  Status Permit(Cycle&, const Pod&, Id node, std::chrono::nanoseconds& wait) {
    if (node == IdOf("n1")) return Status::Unschedulable("not there");
    wait = std::chrono::milliseconds(1500);
    return Status::Wait();
  }
  void PostBind(Cycle&, const Pod& pod, Id) {
    host.EachWaiting([&](const Pod& waiting) {
      if (waiting.priority() > 0) {
        EXPECT_TRUE(host.AllowWaiting(waiting.uid()));
      } else {
        EXPECT_TRUE(host.RejectWaiting(waiting.uid(), "after " + std::string(pod.name())));
      }
    });
    EXPECT_FALSE(host.AllowWaiting("nobody"));
  }

  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_TAINT},
                                            {"Pod", BERTH_ACTION_DELETE, false},
                                            {"example.org/Widget"}};
  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.resource() == "Node") {
      return !event.old_node() && event.new_node().name() == pod->nominated_node &&
             (event.actions() & BERTH_ACTION_ADD) != 0;
    }
    return event.new_value().Get("size").AsInt() > 3 && event.interest() == 2;
  }

  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      if (delta.kind == BERTH_DELTA_POD_ADD) ++pods[Pod(delta.pod).uid()];
      if (delta.kind == BERTH_DELTA_POD_REMOVE) --pods[Pod(delta.pod).uid()];
      if (delta.kind == BERTH_DELTA_NODE_ADD) nodes += TextOf(NodeView(delta.node).name());
    }
  }
  std::string Dump() {
    std::string text = nodes;
    for (const auto& [uid, n] : pods) text += " " + std::string(uid) + "=" + std::to_string(n);
    return text;
  }

  Host& host;
  std::string nodes;
  std::map<std::string_view, int> pods;
};

class CallsTest : public ::testing::Test {
 protected:
  CallsTest() : plugin(TestPlugin<Busy>()) {
    plugin.cluster().Add(FakeNode("n1")).Add(FakeNode("n2")).Add(FakePod("old"), "n2");
    EXPECT_TRUE(plugin.Start().ok());
  }
  ~CallsTest() override { EXPECT_THAT(plugin.Violations(), IsEmpty()); }
  PluginUnderTest plugin;
};

TEST_F(CallsTest, NameSets) {
  const auto all = plugin.Try(FakePod("any"))->PreFilter();
  EXPECT_FALSE(all.narrowed);
  const auto none = plugin.Try(FakePod("nowhere"))->PreFilter();
  EXPECT_TRUE(none.narrowed);
  EXPECT_THAT(none.names, IsEmpty());
  EXPECT_THAT(plugin.Try(FakePod("some"))->PreFilter().names, ElementsAre("a", "b"));
  EXPECT_FALSE(plugin.Try(FakePod("any"))->PreFilter().narrowed) << "the last pod's names are forgotten";
}

TEST_F(CallsTest, QueueOrder) {
  EXPECT_TRUE(plugin.Less({FakePod("a").Priority(2), 9}, {FakePod("b").Priority(1), 1}));
  EXPECT_TRUE(plugin.Less({FakePod("a"), 1}, {FakePod("b"), 2}));
  EXPECT_FALSE(plugin.Less({FakePod("a"), 2}, {FakePod("b"), 2}));
}

TEST_F(CallsTest, Nominations) {
  const std::map<std::string, berth_status> verdicts = {{"n2", BERTH_UNSCHEDULABLE}};
  const auto set = plugin.Try(FakePod("p"))->PostFilter(verdicts, BERTH_UNRESOLVABLE);
  EXPECT_EQ(set.mode, BERTH_NOMINATE_OVERRIDE);
  EXPECT_EQ(set.node, "n2");
  const auto clear = plugin.Try(FakePod("clears"))->PostFilter(verdicts, BERTH_UNRESOLVABLE);
  EXPECT_EQ(clear.mode, BERTH_NOMINATE_OVERRIDE);
  EXPECT_EQ(clear.node, "");
  const auto none = plugin.Try(FakePod("p"))->PostFilter({});
  EXPECT_EQ(none.mode, BERTH_NOMINATE_NOOP);
  EXPECT_THAT(none.reasons, ElementsAre("no help"));
}

TEST_F(CallsTest, PermitWaits) {
  const auto waits = plugin.Try(FakePod())->Permit("n2");
  EXPECT_EQ(waits.code, BERTH_WAIT);
  EXPECT_EQ(waits.wait, std::chrono::milliseconds(1500));
  EXPECT_EQ(plugin.Try(FakePod())->Permit("n1").code, BERTH_UNSCHEDULABLE);
}

TEST_F(CallsTest, WaitingPods) {
  plugin.host().AddWaiting(FakePod("low")).AddWaiting(FakePod("high").Priority(5));
  plugin.Try(FakePod("bound"))->PostBind("n1");
  EXPECT_THAT(plugin.host().allowed(), ElementsAre("default/high"));
  EXPECT_THAT(plugin.host().rejected(), ElementsAre("default/low: after bound"));
}

TEST_F(CallsTest, InterestsAndHints) {
  EXPECT_THAT(plugin.Interests(),
              ElementsAre(InterestOutcome{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_TAINT, true},
                          InterestOutcome{"Pod", BERTH_ACTION_DELETE, false},
                          InterestOutcome{"example.org/Widget", BERTH_ACTION_ALL, true}));
  FakeEvent added{"Node", BERTH_ACTION_ADD};
  added.new_node = FakeNode("n3");
  const std::vector<FakePod> pods = {FakePod("a"), FakePod("b").Nominated("n3"), FakePod("c").Nominated("n4")};
  EXPECT_THAT(plugin.Hints(added, pods).queue, ElementsAre(false, true, false));
  added.old_node = FakeNode("n3");
  EXPECT_THAT(plugin.Hints(added, pods).queue, ElementsAre(false, false, false));
  FakeEvent widget{"example.org/Widget", BERTH_ACTION_UPDATE, 2};
  widget.new_value = FakeValue::Object({{"size", 4}});
  EXPECT_THAT(plugin.Hints(widget, pods).queue, ElementsAre(true, true, true));
  EXPECT_THAT(plugin.Hints(widget, {}).queue, IsEmpty());
}

TEST_F(CallsTest, DeltasAndDump) {
  plugin.SendState();
  EXPECT_EQ(plugin.Dump(), "n1n2 default/old=1");
  plugin.PodAdded(FakePod("new"), 0);
  plugin.PodRemoved(FakePod("old"), 2);
  plugin.NodeChanged(FakeNode("n1"), 0);
  EXPECT_EQ(plugin.Dump(), "n1n2 default/new=1 default/old=0");
}

// Hints for all pods at once; interests that depend on the instance.
struct Batch {
  static constexpr Info kInfo{.name = "batch"};
  static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;
  std::vector<Interest> Interests() { return {{std::string_view(name), BERTH_ACTION_ADD}}; }
  Status Hints(Cycle&, const Event&, Pods pods, std::span<uint8_t> queue) {
    for (size_t i = 0; i < pods.size(); ++i) queue[i] = Pod(pods[i]).priority() > 1 ? 1 : 0;
    return pods.empty() ? Status::Error("nobody asked") : Status::Ok();
  }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) EXPECT_EQ(delta.node, nullptr) << "nodes were not asked for";
  }
  std::string name = "a resource name that is longer than what fits into a string in place";
};

TEST(BatchTest, HintsAndInterests) {
  PluginUnderTest plugin = TestPlugin<Batch>();
  plugin.cluster().Add(FakeNode("n1")).Add(FakePod("p"), "n1");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_THAT(plugin.Interests(), ElementsAre(InterestOutcome{Batch().name, BERTH_ACTION_ADD, true}));
  EXPECT_THAT(plugin.Hints({"x", BERTH_ACTION_ADD}, {FakePod("a"), FakePod("b").Priority(2)}).queue,
              ElementsAre(false, true));
  EXPECT_EQ(plugin.Hints({"x", BERTH_ACTION_ADD}, {}), (Outcome{BERTH_ERROR, {"nobody asked"}}));
  EXPECT_EQ(plugin.Extension<berth_deltas>(BERTH_POINT_DELTAS)->mask, BERTH_DELTA_PODS);
  plugin.SendState();
}

// No event helps: an empty list, which differs from no list.
struct Hopeless {
  static constexpr Info kInfo{.name = "hopeless"};
  std::vector<Interest> Interests() { return {}; }
};

TEST(BatchTest, AnEmptyListOfInterestsIsAList) {
  PluginUnderTest plugin = TestPlugin<Hopeless>();
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_TRUE(plugin.Offers(BERTH_POINT_EVENTS));
  EXPECT_THAT(plugin.Interests(), IsEmpty());
  EXPECT_EQ(plugin.Extension<berth_events>(BERTH_POINT_EVENTS)->hints, nullptr);
}

}  // namespace
}  // namespace berth::sdk::testing
