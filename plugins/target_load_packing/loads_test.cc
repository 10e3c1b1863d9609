// The loads of many rows, which follow a snapshot over several tasks. The test program is that of TargetLoadPacking.
#include "../trimaran_common/node_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/fake_host.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../trimaran_common/row_walk.h"

namespace plugins::trimaran {
namespace {

using testing::ElementsAre;

std::string NameOf(uint32_t row) { return "node-" + std::to_string(row); }

// Four rows with two rows in each task.
class NodeLoadsWalk : public testing::Test {
 protected:
  NodeLoadsWalk() {
    host_.Connect();
    for (uint32_t row = 0; row < 4; ++row) Add(row);
    changed_.clear();
  }
  ~NodeLoadsWalk() override { fake_.tasks().End(); }

  void Add(uint32_t row) { Take(BERTH_DELTA_NODE_ADD, row); }
  void Take(uint32_t kind, uint32_t row) {
    berth_node node{};
    node.name = host_.Intern(NameOf(row));
    berth_delta delta{};
    delta.kind = kind;
    delta.row = row;
    delta.node = &node;
    loads_.Take(delta);
  }
  // Every node has this CPU, in percent, until this time.
  void TakeSnapshot(double cpu, int64_t end) {
    Snapshot snapshot;
    snapshot.window_end = end;
    for (uint32_t row = 0; row < 6; ++row) snapshot.nodes[NameOf(row)].Add("CPU", "AVG", cpu);
    loads_.Take(std::make_shared<const Snapshot>(std::move(snapshot)));
  }
  // The CPU and the time of each row.
  std::vector<std::pair<double, int64_t>> Loads() const {
    std::vector<std::pair<double, int64_t>> all;
    for (uint32_t row = 0; row < loads_.rows(); ++row) {
      const NodeLoad* load = loads_.LoadOf(row);
      all.emplace_back(load == nullptr ? -1 : load->cpu.average, loads_.WindowEndOf(row));
    }
    return all;
  }
  // Runs between the task that waits and the task that it posts.
  void Between(std::function<void()> fn) { tasks_.Post(std::move(fn)); }

  berth::sdk::testing::FakeHost fake_;
  berth::sdk::Host host_{fake_.raw()};
  const berth::sdk::Objects objects_{host_};
  const berth::sdk::Tasks tasks_{host_};
  std::vector<uint32_t> changed_;
  NodeLoads loads_{host_, objects_, tasks_, 2, [this](uint32_t row) { changed_.push_back(row); }};
};

using Load = std::pair<double, int64_t>;

TEST_F(NodeLoadsWalk, FillsSomeRowsInEachTask) {
  TakeSnapshot(10, 100);
  EXPECT_THAT(changed_, ElementsAre(0, 1));
  EXPECT_THAT(Loads(), ElementsAre(Load{10, 100}, Load{10, 100}, Load{-1, 0}, Load{-1, 0}));
  fake_.tasks().Advance();
  EXPECT_THAT(changed_, ElementsAre(0, 1, 2, 3));
  TakeSnapshot(20, 200);
  EXPECT_THAT(Loads(), ElementsAre(Load{20, 200}, Load{20, 200}, Load{10, 100}, Load{10, 100}));
  fake_.tasks().Advance();
  EXPECT_THAT(Loads(), ElementsAre(Load{20, 200}, Load{20, 200}, Load{20, 200}, Load{20, 200}));
  EXPECT_EQ(fake_.tasks().pending(), 0u);
}

TEST_F(NodeLoadsWalk, ANewerSnapshotBeginsAnew) {
  TakeSnapshot(10, 100);
  TakeSnapshot(20, 200);
  Between([this] { EXPECT_THAT(Loads(), ElementsAre(Load{20, 200}, Load{20, 200}, Load{-1, 0}, Load{-1, 0})); });
  fake_.tasks().Advance();
  EXPECT_THAT(changed_, ElementsAre(0, 1, 0, 1, 2, 3));
  EXPECT_THAT(Loads(), ElementsAre(Load{20, 200}, Load{20, 200}, Load{20, 200}, Load{20, 200}));
}

TEST_F(NodeLoadsWalk, RowsThatComeOrGoMeanwhile) {
  TakeSnapshot(10, 100);
  Add(4);
  Add(5);
  Take(BERTH_DELTA_NODE_REMOVE, 3);
  EXPECT_THAT(Loads(),
              ElementsAre(Load{10, 100}, Load{10, 100}, Load{-1, 0}, Load{-1, 0}, Load{10, 100}, Load{10, 100}));
  fake_.tasks().Advance();
  EXPECT_THAT(Loads(),
              ElementsAre(Load{10, 100}, Load{10, 100}, Load{10, 100}, Load{-1, 0}, Load{10, 100}, Load{10, 100}));
}

TEST_F(NodeLoadsWalk, EndsWithThePlugin) {
  TakeSnapshot(10, 100);
  fake_.tasks().End();
  EXPECT_THAT(changed_, ElementsAre(0, 1));
  EXPECT_EQ(fake_.tasks().pending(), 0u);
}

TEST_F(NodeLoadsWalk, WithoutRowsThereIsNone) {
  RowWalk walk(tasks_, 2, [](uint32_t) { FAIL(); });
  walk.Start(0);
  EXPECT_EQ(fake_.tasks().pending(), 0u);
}

}  // namespace
}  // namespace plugins::trimaran
