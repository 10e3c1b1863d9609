// One node's zones on a separate board, for tests of the code that works on zones.
#pragma once

#include <berth/plugin.hpp>
#include <berth/testing/fake_host.hpp>

#include <memory>
#include <utility>
#include <vector>

#include "board.h"
#include "demand.h"
#include "row_zones.h"
#include "test_fixture.h"

namespace plugins::node_topology {

struct OneRow {
  FakeHost fake;
  berth::sdk::Host host{fake.raw()};
  std::unique_ptr<Board> board;
  std::shared_ptr<const PodObject> pod;
  std::unique_ptr<Demand> demand;
  std::unique_ptr<RowZones> zones;

  OneRow(const std::vector<Zone>& all, const FakePod& asks, QosClass qos = QosClass::kGuaranteed) {
    host.Connect();
    board = std::make_unique<Board>(host, true);
    board->Set(0, Topology{.manager = {}, .zones = all});
    pod = asks.Build();
    demand = std::make_unique<Demand>(host, berth::sdk::Pod(pod->raw()), qos);
    demand->ReadZones(*board);
    zones = std::make_unique<RowZones>(*board, *demand);
    zones->Load(0);
  }
};

}  // namespace plugins::node_topology
