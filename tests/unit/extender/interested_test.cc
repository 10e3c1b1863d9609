// Which pods an extender is asked about. Cases: TestIsInterested of pkg/scheduler/extender_test.go.
#include <gtest/gtest.h>

#include "fake_server.h"

namespace berth::extender {
namespace {

api::PodRef PodOf(const std::string& spec) {
  auto pod = api::DecodePod(Words(), R"({"metadata":{"name":"p","namespace":"ns"},"spec":)" + spec + "}");
  if (!pod) ADD_FAILURE() << pod.error().message;
  return *pod;
}

bool Interested(const std::vector<std::string>& managed, const std::string& spec) {
  const auto extender = MakeOne("http://127.0.0.1:9", [&](config::Extender& config) {
    for (const std::string& name : managed) config.managed_resources.push_back({name});
  });
  return extender->IsInterested(*PodOf(spec));
}

TEST(IsInterested, Cases) {
  const std::vector<std::string> memory{"memory"};
  const struct {
    const char* label;
    std::vector<std::string> managed;
    const char* spec;
    bool wanted;
  } cases[] = {
      {"Empty managed resources", {}, "{}", true},
      {"Managed memory, empty resources", memory, R"({"containers":[{"name":"app"}]})", false},
      {"Managed memory, container memory with Requests", memory,
       R"({"containers":[{"name":"c","resources":{"requests":{"memory":"0"}}}]})", true},
      {"Managed memory, container memory with Limits", memory,
       R"({"containers":[{"name":"c","resources":{"limits":{"memory":"0"}}}]})", true},
      {"Managed memory, init container memory", memory,
       R"({"containers":[{"name":"app"}],"initContainers":[{"name":"i","resources":{"requests":{"memory":"0"}}}]})",
       true},
      {"sidecars are init containers", memory,
       R"({"initContainers":[{"name":"i","restartPolicy":"Always","resources":{"limits":{"memory":"1"}}}]})", true},
      {"one of several",
       {"example.com/a", "example.com/b"},
       R"({"containers":[{"name":"x"},{"name":"y","resources":{"limits":{"cpu":"1","example.com/b":"1"}}}]})",
       true},
      {"other resources",
       {"example.com/a"},
       R"({"containers":[{"name":"x","resources":{"requests":{"cpu":"1"},"limits":{"example.com/b":"1"}}}]})",
       false},
      {"the pod's own and overhead do not count", memory,
       R"({"containers":[{"name":"x"}],"resources":{"requests":{"memory":"1"}},"overhead":{"memory":"1"}})", false},
  };
  for (const auto& c : cases) EXPECT_EQ(Interested(c.managed, c.spec), c.wanted) << c.label;
}

}  // namespace
}  // namespace berth::extender
