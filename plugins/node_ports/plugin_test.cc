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

INSTANTIATE_TEST_SUITE_P(
    Upstream, NodePortsFilter,
    testing::Values(Case{"OtherPort", P({{"UDP", "127.0.0.1", 8080}}), P({{"UDP", "127.0.0.1", 9090}}), true},
                    Case{"SameUdp", P({{"UDP", "127.0.0.1", 8080}}), P({{"UDP", "127.0.0.1", 8080}}), false},
                    Case{"SameTcp", P({{"TCP", "127.0.0.1", 8080}}), P({{"TCP", "127.0.0.1", 8080}}), false},
                    Case{"OtherIp", P({{"TCP", "127.0.0.1", 8080}}), P({{"TCP", "127.0.0.2", 8080}}), true},
                    Case{"OtherProtocol", P({{"UDP", "127.0.0.1", 8080}}), P({{"TCP", "127.0.0.1", 8080}}), true},
                    Case{"SecondConflicts", P({{"UDP", "127.0.0.1", 8000}, {"UDP", "127.0.0.1", 8080}}),
                         P({{"UDP", "127.0.0.1", 8080}}), false},
                    Case{"WantsAnyAddress", P({{"TCP", "0.0.0.0", 8001}}), P({{"TCP", "127.0.0.1", 8001}}), false},
                    Case{"AnyAddressTaken", P({{"TCP", "127.0.0.1", 8001}}), P({{"TCP", "0.0.0.0", 8001}}), false},
                    Case{"EmptyIpIsAny", P({{"TCP", "", 8001}}), P({{"TCP", "127.0.0.1", 8001}}), false},
                    Case{"EmptyProtocolIsTcp", P({{"", "10.0.0.1", 8001}}), P({{"TCP", "10.0.0.1", 8001}}), false},
                    Case{"Ipv6AnyIsNoWildcard", P({{"TCP", "::", 80}}), P({{"TCP", "10.0.0.1", 80}}), true},
                    Case{"AnyProtocolDiffers", P({{"TCP", "127.0.0.1", 8001}}), P({{"UDP", "0.0.0.0", 8001}}), true}),
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
