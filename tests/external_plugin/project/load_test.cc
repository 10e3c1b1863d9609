// Loads the built library and calls it with the SDK's fake host, without a test framework.
#include <berth/testing/plugin_under_test.hpp>

#include <cstdio>

using namespace berth::sdk::testing;

int main(int, char** argv) {
  PluginUnderTest doubler = PluginUnderTest::Load(argv[1], "podDoubler");
  doubler.cluster().Add(FakeNode("a")).Add(FakeNode("b")).Add(FakePod("p"), "b");
  if (!doubler.Start().ok()) return 1;
  if (doubler.Try(FakePod())->Score().nodes != Scores{{"a", 0}, {"b", 2}}) return 2;
  if (doubler.host().metrics().Value("scored_nodes_total", {"dense"}).value_or(0) <= 0) return 6;

  PluginUnderTest refuser = PluginUnderTest::Load(argv[1], "refuser");
  if (!refuser.Start().ok()) return 3;
  const Outcome outcome = refuser.Try(FakePod())->PreFilter();
  if (outcome.code != BERTH_ERROR || outcome.reasons != Texts{"plugin refuser: PreFilter threw: refused 1 times"})
    return 4;

  try {
    PluginUnderTest::Load(argv[1], "nobody").Start();
    return 5;
  } catch (const std::invalid_argument&) {
  }
  std::puts("ok");
  return 0;
}
