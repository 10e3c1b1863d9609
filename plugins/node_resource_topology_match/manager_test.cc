// From a NodeResourceTopology to what the kubelet's topology manager does. Facts of
// pkg/noderesourcetopology/nodeconfig/topologymanager_test.go.
#include "manager.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace plugins::node_topology {

// For messages of tests.
static void PrintTo(const TopologyManager& manager, std::ostream* out) {
  *out << static_cast<int>(manager.policy) << " " << static_cast<int>(manager.scope) << " " << manager.max_zones;
}

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

struct ManagerCase {
  const char* name;
  std::vector<std::string> policies = {};
  Attributes attributes = {};
  TopologyManager want = {};
};

TopologyManager Read(const ManagerCase& test) {
  TopologyManager manager;
  if (!test.policies.empty()) manager.SetBoth(test.policies.front());
  for (const auto& [name, value] : test.attributes) manager.SetAttribute(name, value);
  return manager;
}

class Manager : public testing::TestWithParam<ManagerCase> {};
TEST_P(Manager, Read) { EXPECT_EQ(Read(GetParam()), GetParam().want); }

constexpr auto kManagerScope = "topologyManagerScope", kManagerPolicy = "topologyManagerPolicy",
               kMax = "topologyManagerMaxNUMANodes";

// TestConfigFromAttributes.
INSTANTIATE_TEST_SUITE_P(
    FromAttributes, Manager,
    testing::Values(
        ManagerCase{.name = "Nil"}, ManagerCase{.name = "Empty", .attributes = {}},
        ManagerCase{.name = "NoPolicy", .attributes = {{kManagerScope, "pod"}}, .want = {.scope = Scope::kPod}},
        ManagerCase{
            .name = "NoScope", .attributes = {{kManagerPolicy, "restricted"}}, .want = {.policy = Policy::kRestricted}},
        ManagerCase{.name = "Complete1",
                    .attributes = {{kManagerPolicy, "restricted"}, {kManagerScope, "container"}},
                    .want = {.policy = Policy::kRestricted, .scope = Scope::kContainer}},
        ManagerCase{.name = "Complete2",
                    .attributes = {{kManagerScope, "pod"}, {kManagerPolicy, "single-numa-node"}},
                    .want = {.policy = Policy::kSingleNumaNode, .scope = Scope::kPod}},
        ManagerCase{.name = "WrongScope1",
                    .attributes = {{kManagerScope, "Pod"}, {kManagerPolicy, "single-numa-node"}},
                    .want = {.policy = Policy::kSingleNumaNode}},
        ManagerCase{.name = "WrongScope2",
                    .attributes = {{kManagerScope, "Container"}, {kManagerPolicy, "restricted"}},
                    .want = {.policy = Policy::kRestricted}},
        ManagerCase{.name = "NodesNoNumber", .attributes = {{kMax, "A"}}},
        ManagerCase{.name = "NodesZero", .attributes = {{kMax, "0"}}},
        ManagerCase{.name = "NodesNegative", .attributes = {{kMax, "-2"}}},
        ManagerCase{.name = "Nodes", .attributes = {{kMax, "16"}}, .want = {.max_zones = 16}},
        ManagerCase{.name = "NodesTooMany", .attributes = {{kMax, "65535"}}, .want = {.max_zones = 1024}}),
    [](const auto& info) { return std::string(info.param.name); });

// TestConfigFromPolicies.
INSTANTIATE_TEST_SUITE_P(
    FromPolicies, Manager,
    testing::Values(ManagerCase{.name = "Nil"}, ManagerCase{.name = "Empty", .policies = {}},
                    ManagerCase{.name = "SingleNumaPod",
                                .policies = {"SingleNUMANodePodLevel"},
                                .want = {.policy = Policy::kSingleNumaNode, .scope = Scope::kPod}},
                    ManagerCase{.name = "SingleNumaContainer",
                                .policies = {"SingleNUMANodeContainerLevel"},
                                .want = {.policy = Policy::kSingleNumaNode, .scope = Scope::kContainer}},
                    ManagerCase{.name = "RestrictedContainer",
                                .policies = {"RestrictedContainerLevel"},
                                .want = {.policy = Policy::kRestricted, .scope = Scope::kContainer}},
                    ManagerCase{.name = "OnlyTheFirst",
                                .policies = {"RestrictedContainerLevel", "SingleNUMANodePodLevel"},
                                .want = {.policy = Policy::kRestricted, .scope = Scope::kContainer}},
                    ManagerCase{.name = "Unknown", .policies = {"foobar"}}),
    [](const auto& info) { return std::string(info.param.name); });

// TestConfigFromNRT.
INSTANTIATE_TEST_SUITE_P(
    FromBoth, Manager,
    testing::Values(ManagerCase{.name = "Nil"},
                    ManagerCase{.name = "OnePolicy",
                                .policies = {"BestEffortPodLevel"},
                                .want = {.policy = Policy::kBestEffort, .scope = Scope::kPod}},
                    ManagerCase{.name = "OnlyTheFirst",
                                .policies = {"RestrictedContainerLevel", "BestEffortPodLevel"},
                                .want = {.policy = Policy::kRestricted, .scope = Scope::kContainer}},
                    ManagerCase{.name = "OnlyAttributes",
                                .attributes = {{kManagerPolicy, "restricted"}},
                                .want = {.policy = Policy::kRestricted, .scope = Scope::kContainer}},
                    ManagerCase{.name = "AnAttributeGoesFirst",
                                .policies = {"BestEffortPodLevel"},
                                .attributes = {{kManagerScope, "container"}},
                                .want = {.policy = Policy::kBestEffort, .scope = Scope::kContainer}},
                    ManagerCase{.name = "AttributesGoFirst",
                                .policies = {"BestEffortPodLevel"},
                                .attributes = {{kManagerScope, "container"}, {kManagerPolicy, "restricted"}},
                                .want = {.policy = Policy::kRestricted, .scope = Scope::kContainer}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, Manager,
                         testing::Values(ManagerCase{.name = "RestrictedPod",
                                                     .policies = {"RestrictedPodLevel"},
                                                     .want = {.policy = Policy::kRestricted, .scope = Scope::kPod}},
                                         ManagerCase{.name = "BestEffortContainer",
                                                     .policies = {"BestEffortContainerLevel"},
                                                     .want = {.policy = Policy::kBestEffort}},
                                         ManagerCase{.name = "TheLastAttributeCounts",
                                                     .attributes = {{kMax, "16"}, {kMax, "9"}},
                                                     .want = {.max_zones = 9}},
                                         ManagerCase{.name = "AWrongOneDoesNotCount",
                                                     .attributes = {{kMax, "16"}, {kMax, "1"}},
                                                     .want = {.max_zones = 16}},
                                         ManagerCase{.name = "OneNode", .attributes = {{kMax, "1"}}},
                                         ManagerCase{.name = "OtherAttributes",
                                                     .attributes = {{"nodeTopologyPodsFingerprint", "pod"}}}),
                         [](const auto& info) { return std::string(info.param.name); });

struct NameCase {
  const char* text;
  bool valid;
};

// TestIsValidScope: a valid text sets the scope.
TEST(ManagerNames, Scopes) {
  constexpr NameCase kCases[] = {{"", false}, {"pod", true}, {"container", true}, {"POD", false}, {"Container", false}};
  for (const NameCase& test : kCases) {
    TopologyManager pod{.scope = Scope::kPod}, container{.scope = Scope::kContainer};
    pod.SetAttribute(kManagerScope, test.text);
    container.SetAttribute(kManagerScope, test.text);
    EXPECT_EQ(pod == container, test.valid) << test.text;
  }
}

// TestIsValidPolicy.
TEST(ManagerNames, Policies) {
  constexpr NameCase kCases[] = {{"", false},
                                 {"none", true},
                                 {"best-effort", true},
                                 {"restricted", true},
                                 {"single-numa-node", true},
                                 {"None", false},
                                 {"BestEffort", false},
                                 {"Restricted", false},
                                 {"single-NUMA-node", false},
                                 {"SingleNUMANode", false}};
  for (const NameCase& test : kCases) {
    TopologyManager one{.policy = Policy::kNone}, other{.policy = Policy::kRestricted};
    one.SetAttribute(kManagerPolicy, test.text);
    other.SetAttribute(kManagerPolicy, test.text);
    EXPECT_EQ(one == other, test.valid) << test.text;
  }
}

// TestTopologyManagerEqual: managers are equal if policy, scope, and number are.
TEST(ManagerNames, Equality) {
  const TopologyManager base{.policy = Policy::kSingleNumaNode, .scope = Scope::kContainer, .max_zones = 9};
  const struct {
    TopologyManager a, b;
    bool want;
  } cases[] = {{{}, {}, true},
               {base, base, true},
               {{.policy = Policy::kRestricted}, {}, false},
               {{.policy = Policy::kRestricted}, {.policy = Policy::kBestEffort}, false},
               {{.scope = Scope::kPod}, {}, false},
               {{.scope = Scope::kContainer}, {.scope = Scope::kPod}, false},
               {{.max_zones = 16}, {}, false},
               {{.max_zones = 16}, {.max_zones = 9}, false},
               {base, {.policy = Policy::kSingleNumaNode, .scope = Scope::kPod, .max_zones = 9}, false},
               {base, {.policy = Policy::kBestEffort, .scope = Scope::kContainer, .max_zones = 9}, false},
               {base, {.policy = Policy::kBestEffort, .scope = Scope::kContainer}, false}};
  for (const auto& test : cases) EXPECT_EQ(test.a == test.b, test.want);
}

}  // namespace
}  // namespace plugins::node_topology
