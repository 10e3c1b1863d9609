// A list that no longer has objects that the engine knows.
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

TEST(Relist, RemovesNodesInTheOrderOfTheirNames) {
  TestScheduler rig;
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'z'; ++c) names.emplace_back(1, c);
  rig.AddNodes(names);
  engine::Engine& engine = rig.simulation->engine();
  rig.Run();
  std::vector<uint32_t> rows;
  const auto row_of = [&](const std::string& name) { return engine.cache().RowOf(rig.intern.ids.Find(name)); };
  for (const std::string& name : names) rows.push_back(row_of(name));
  engine.Post(engine::NodesListed{std::make_shared<const base::TextSet>()});
  rig.Run();
  // A new node gets the row that was freed last.
  std::vector<uint32_t> again;
  for (const std::string& name : names) {
    engine.Post(engine::NodeSet{MakeNode(rig.intern, "new-" + name)});
    rig.Run();
    again.insert(again.begin(), row_of("new-" + name));
  }
  EXPECT_EQ(again, rows);
}

}  // namespace
}  // namespace berth::fixture
