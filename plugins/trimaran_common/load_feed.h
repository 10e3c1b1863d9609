// What the plugins that score by measured load have in common: the feed, the load of each row, and the scores that the
// host keeps. Thread: made in the plugin's constructor; Start in Activate; the rest serial.
#pragma once

#include <berth/api.hpp>
#include <berth/http.hpp>
#include <berth/kept.hpp>
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "feed.h"
#include "node_loads.h"
#include "source.h"

namespace plugins::trimaran {

class LoadFeed {
 public:
  static constexpr std::array<std::string_view, 5> kNeedsOfWatcher{
      BERTH_SERVICE_HTTP, BERTH_SERVICE_JSON, BERTH_SERVICE_KEPT, BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS};
  // Of a plugin that may read metrics-server.
  static constexpr std::array<std::string_view, 6> kNeeds{BERTH_SERVICE_API,     BERTH_SERVICE_HTTP,
                                                          BERTH_SERVICE_JSON,    BERTH_SERVICE_KEPT,
                                                          BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS};
  static constexpr uint32_t kRowsPerTask = 64;  // if `read` takes less than a microsecond

  // Sets the plugin's columns of a row.
  using Read = std::function<void(uint32_t row)>;

  LoadFeed(const berth::sdk::Host& host, std::unique_ptr<Source> source, uint32_t rows_per_task, Read read)
      : objects_(host),
        tasks_(host),
        kept_(host),
        read_(std::move(read)),
        loads_(host, objects_, tasks_, rows_per_task, [this](uint32_t row) { Refresh(row); }),
        feed_(host, tasks_, std::move(source),
              [this](std::shared_ptr<const Snapshot> snapshot) { loads_.Take(std::move(snapshot)); }) {}

  // capacities: the plugin reads those of nodes.
  void Start(bool capacities) {
    if (capacities) objects_.Need("", "v1", "nodes");
    feed_.Start();
  }
  void Take(const berth_delta& delta) { loads_.Take(delta); }
  void Take(const berth::sdk::Object& before, const berth::sdk::Object& now) { loads_.Take(before, now); }
  // Call it after any other change that affects the row's scores.
  void Refresh(uint32_t row) {
    read_(row);
    kept_.RowChanged(row);
  }
  // The plugin has read the data that it needs.
  void RowChanged(uint32_t row) const { kept_.RowChanged(row); }

  const NodeLoads& loads() const { return loads_; }
  // Null: the load of the row's node is unknown, or there is no node.
  const NodeLoad* LoadOf(uint32_t row) const { return row < loads_.rows() ? loads_.LoadOf(row) : nullptr; }
  const berth::sdk::Tasks& tasks() const { return tasks_; }

 private:
  const berth::sdk::Objects objects_;
  const berth::sdk::Tasks tasks_;
  const berth::sdk::KeptResults kept_;
  const Read read_;
  NodeLoads loads_;
  Feed feed_;
};

}  // namespace plugins::trimaran
