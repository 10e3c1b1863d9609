#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct Case {
  const char* name;
  FakePod wants, has;
  bool fits;
};

class NodePortsFilter : public testing::TestWithParam<Case> {};

TEST_P(NodePortsFilter, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "NodePorts");
  plugin.cluster().Add(FakeNode("m1")).Add(GetParam().has, "m1");
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(GetParam().wants);
  ASSERT_TRUE(attempt->PreFilter().ok());
  const Outcome refused{BERTH_UNSCHEDULABLE, {"node(s) didn't have free ports for the requested pod ports"}};
  EXPECT_EQ(attempt->Filter().nodes.at("m1"), GetParam().fits ? Outcome{} : refused);
}

FakePod P(std::initializer_list<std::tuple<const char*, const char*, int>> ports) {
  FakePod pod("p");
  for (const auto& [protocol, ip, port] : ports) pod.HostPort(port, protocol, ip);
  return pod;
}

INSTANTIATE_TEST_SUITE_P(Upstream, NodePortsFilter,
                         testing::Values(Case{.name = "OtherPort",
                                              .wants = P({{"UDP", "127.0.0.1", 8080}}),
                                              .has = P({{"UDP", "127.0.0.1", 9090}}),
                                              .fits = true},
                                         Case{.name = "SameUdp",
                                              .wants = P({{"UDP", "127.0.0.1", 8080}}),
                                              .has = P({{"UDP", "127.0.0.1", 8080}}),
                                              .fits = false},
                                         Case{.name = "SameTcp",
                                              .wants = P({{"TCP", "127.0.0.1", 8080}}),
                                              .has = P({{"TCP", "127.0.0.1", 8080}}),
                                              .fits = false},
                                         Case{.name = "OtherIp",
                                              .wants = P({{"TCP", "127.0.0.1", 8080}}),
                                              .has = P({{"TCP", "127.0.0.2", 8080}}),
                                              .fits = true},
                                         Case{.name = "OtherProtocol",
                                              .wants = P({{"UDP", "127.0.0.1", 8080}}),
                                              .has = P({{"TCP", "127.0.0.1", 8080}}),
                                              .fits = true},
                                         Case{.name = "SecondConflicts",
                                              .wants = P({{"UDP", "127.0.0.1", 8000}, {"UDP", "127.0.0.1", 8080}}),
                                              .has = P({{"UDP", "127.0.0.1", 8080}}),
                                              .fits = false},
                                         Case{.name = "WantsAnyAddress",
                                              .wants = P({{"TCP", "0.0.0.0", 8001}}),
                                              .has = P({{"TCP", "127.0.0.1", 8001}}),
                                              .fits = false},
                                         Case{.name = "AnyAddressTaken",
                                              .wants = P({{"TCP", "127.0.0.1", 8001}}),
                                              .has = P({{"TCP", "0.0.0.0", 8001}}),
                                              .fits = false},
                                         Case{.name = "EmptyIpIsAny",
                                              .wants = P({{"TCP", "", 8001}}),
                                              .has = P({{"TCP", "127.0.0.1", 8001}}),
                                              .fits = false},
                                         Case{.name = "EmptyProtocolIsTcp",
                                              .wants = P({{"", "10.0.0.1", 8001}}),
                                              .has = P({{"TCP", "10.0.0.1", 8001}}),
                                              .fits = false},
                                         Case{.name = "Ipv6AnyIsNoWildcard",
                                              .wants = P({{"TCP", "::", 80}}),
                                              .has = P({{"TCP", "10.0.0.1", 80}}),
                                              .fits = true},
                                         Case{.name = "AnyProtocolDiffers",
                                              .wants = P({{"TCP", "127.0.0.1", 8001}}),
                                              .has = P({{"UDP", "0.0.0.0", 8001}}),
                                              .fits = true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NodePorts, SkipsPodsWithoutHostPorts) {
  PluginUnderTest plugin(berth_entry_v1, "NodePorts");
  plugin.cluster().Add(FakeNode("n"));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("p"))->PreFilter().code, BERTH_SKIP);
}

TEST(NodePorts, OnlyPodsThatGiveBackAWantedPortHelp) {
  PluginUnderTest plugin(berth_entry_v1, "NodePorts");
  ASSERT_TRUE(plugin.Start().ok());
  auto hint = [&](const FakePod& gone) -> bool {
    return plugin
        .Hints({.resource = "Pod", .actions = BERTH_ACTION_DELETE, .interest = 0, .old_pod = gone},
               {P({{"TCP", "", 80}})})
        .queue.at(0);
  };
  EXPECT_FALSE(hint(P({{"TCP", "", 80}}))) << "it was on no node";
  EXPECT_TRUE(hint(P({{"TCP", "", 80}}).Node("n")));
  EXPECT_TRUE(hint(P({{"TCP", "", 80}}).Nominated("n")));
  EXPECT_FALSE(hint(P({{"TCP", "", 81}}).Node("n")));
  EXPECT_FALSE(hint(FakePod("q").Node("n")));
}

}  // namespace
