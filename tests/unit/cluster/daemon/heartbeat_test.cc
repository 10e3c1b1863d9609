// A node update without a relevant change costs nothing: no row changes, and no hint is requested.
#include <gtest/gtest.h>

#include "scheduler/cache/cache.h"
#include "scripted_server.h"

namespace berth::daemon {
namespace {

TEST(Heartbeat, TouchesNoRow) {
  api::InternTables intern;
  cache::Cache cache(intern);
  const auto Node = [&](const std::string& json) { return *api::DecodeNode(intern, json); };
  EXPECT_TRUE(cache.SetNode(Node(NodeJson("n1"))));
  const auto end = cache.log(0).end();
  const auto generation = [&] {
    berth_column column{};
    column.size = sizeof column;
    EXPECT_TRUE(cache.FindColumn(BERTH_NODE_GENERATION, 0, &column));
    return static_cast<const int64_t*>(column.cells)[cache.RowOf(intern.ids.Find("n1"))];
  };
  const int64_t before = generation();
  EXPECT_FALSE(cache.SetNode(Node(NodeJson("n1", R"(,"managedFields":[{"time":"2026-01-01T00:00:00Z"}])"))));
  EXPECT_EQ(generation(), before);
  EXPECT_EQ(cache.log(0).end(), end);
  EXPECT_TRUE(cache.SetNode(Node(NodeJson("n1", R"(,"labels":{"a":"b"})"))));
  EXPECT_GT(generation(), before);
}

}  // namespace
}  // namespace berth::daemon
