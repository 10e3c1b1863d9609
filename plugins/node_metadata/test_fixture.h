// Args and clusters for this folder's tests. The fake host's clock stands at 2026-01-01T00:00:00Z.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace node_metadata_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct TestArgs {
  const char *key, *source, *type, *strategy;
  const char* format = nullptr;

  FakeValue Value() const {
    FakeValue value = FakeValue::Object();
    const std::pair<const char*, const char*> fields[] = {{"metadataKey", key},
                                                          {"metadataSource", source},
                                                          {"metadataType", type},
                                                          {"scoringStrategy", strategy},
                                                          {"timestampFormat", format}};
    for (const auto& [name, text] : fields) {
      if (text != nullptr) value.Set(name, text);
    }
    return value;
  }
};

inline constexpr auto kRfc3339 = "2006-01-02T15:04:05Z07:00";
inline constexpr auto kHourAgo = "2025-12-31T23:00:00Z", kDayAgo = "2025-12-31T00:00:00Z",
                      kThreeDaysAgo = "2025-12-29T00:00:00Z";

// A node and its value; none: the key is missing.
using Values = std::vector<std::pair<std::string, std::optional<std::string>>>;

// The plugin with nodes that have these values as labels or as annotations.
class Fixture {
 public:
  Fixture(const TestArgs& args, const Values& values) : args_(args), plugin(berth_entry_v1, "NodeMetadata") {
    plugin.Args(args.Value());
    for (const auto& [name, value] : values) Add(name, value);
    const Outcome started = plugin.Start();
    EXPECT_TRUE(started.ok()) << started;
    plugin.SendState();
  }
  ~Fixture() {
    EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
    plugin.Stop();
  }

  // The node's object changes, as the API server reports it.
  void Put(const std::string& node, const std::optional<std::string>& value) {
    FakeObject object(node);
    if (value) object.Annotation(args_.key, *value);
    plugin.Put("v1/nodes", object);
  }
  Scores Raw() { return plugin.Try(FakePod("p"))->Score().nodes; }
  Scores Normalized() {
    auto attempt = plugin.Try(FakePod("p"));
    return attempt->Normalize(attempt->Score().nodes).nodes;
  }

 private:
  void Add(const std::string& name, const std::optional<std::string>& value) {
    FakeNode node(name);
    const bool label = std::string(args_.source) == "Label";
    if (label && value) node.Label(args_.key, *value);
    plugin.cluster().Add(node);
    if (!label) Put(name, value);
  }

  TestArgs args_;

 public:
  PluginUnderTest plugin;
};

}  // namespace node_metadata_test
