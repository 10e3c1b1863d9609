// The parts of an extender that do not depend on its transport.
#include "scheduler/framework/extender.h"

#include <gtest/gtest.h>

#include "api/intern_tables.h"

namespace berth::framework {
namespace {

class SilentExtender final : public Extender {
 public:
  using Extender::Extender;
  base::Result<ExtenderFilterResult> Filter(std::string_view, std::span<const ExtenderNode>) override { return {}; }
  base::Result<ExtenderPriorities> Prioritize(std::string_view, std::span<const ExtenderNode>) override { return {}; }
  base::Result<void> Bind(const ExtenderBinding&) override { return {}; }
  base::Result<NodeNameToMetaVictims> ProcessPreemption(std::string_view, const NodeNameToVictims&) override {
    return {};
  }
};

bool Interested(const std::vector<std::string>& managed, const std::string& spec) {
  static api::InternTables intern;
  auto pod = api::DecodePod(intern, R"({"metadata":{"name":"p","namespace":"ns"},"spec":)" + spec + "}");
  if (!pod) {
    ADD_FAILURE() << pod.error().message;
    return false;
  }
  return SilentExtender({}, managed, intern).IsInterested(**pod);
}

// Source: TestIsInterested in pkg/scheduler/extender_test.go.
TEST(IsInterested, Cases) {
  const std::vector<std::string> memory{"memory"};
  const struct {
    const char* label;
    std::vector<std::string> managed;
    const char* spec;
    bool wanted;
  } cases[] = {
      {.label = "Empty managed resources", .spec = "{}", .wanted = true},
      {.label = "Managed memory, empty resources",
       .managed = memory,
       .spec = R"({"containers":[{"name":"app"}]})",
       .wanted = false},
      {.label = "Managed memory, container memory with Requests",
       .managed = memory,
       .spec = R"({"containers":[{"name":"c","resources":{"requests":{"memory":"0"}}}]})",
       .wanted = true},
      {.label = "Managed memory, container memory with Limits",
       .managed = memory,
       .spec = R"({"containers":[{"name":"c","resources":{"limits":{"memory":"0"}}}]})",
       .wanted = true},
      {.label = "Managed memory, init container memory",
       .managed = memory,
       .spec =
           R"({"containers":[{"name":"app"}],"initContainers":[{"name":"i","resources":{"requests":{"memory":"0"}}}]})",
       .wanted = true},
      {.label = "sidecars are init containers",
       .managed = memory,
       .spec = R"({"initContainers":[{"name":"i","restartPolicy":"Always","resources":{"limits":{"memory":"1"}}}]})",
       .wanted = true},
      {.label = "one of several",
       .managed = {"example.com/a", "example.com/b"},
       .spec = R"({"containers":[{"name":"x"},{"name":"y","resources":{"limits":{"cpu":"1","example.com/b":"1"}}}]})",
       .wanted = true},
      {.label = "other resources",
       .managed = {"example.com/a"},
       .spec = R"({"containers":[{"name":"x","resources":{"requests":{"cpu":"1"},"limits":{"example.com/b":"1"}}}]})",
       .wanted = false},
      {.label = "the pod's own and overhead do not count",
       .managed = memory,
       .spec = R"({"containers":[{"name":"x"}],"resources":{"requests":{"memory":"1"}},"overhead":{"memory":"1"}})",
       .wanted = false},
  };
  for (const auto& c : cases) EXPECT_EQ(Interested(c.managed, c.spec), c.wanted) << c.label;
}

// Source: convertToVictims in pkg/scheduler/extender.go.
TEST(ProcessPreemption, ErrorTexts) {
  EXPECT_EQ(VictimNotFoundText("http://e", "uid9", "node1"),
            "extender: http://e claims to preempt pod (UID: &{uid9}) on node: node1, but the pod is not found on that "
            "node");
  EXPECT_EQ(NodeNotFoundText("n"), "nodeinfo not found for node name \"n\"");
  EXPECT_EQ(NoVictimText("n"), "expected at least one victim pod on node \"n\"");
}

}  // namespace
}  // namespace berth::framework
