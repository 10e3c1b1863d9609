// Fetches the metrics of nodes when the plugin becomes active, and then every 30 seconds. If a fetch fails, the last
// snapshot stays in use. Source: pkg/trimaran/collector.go of kubernetes-sigs/scheduler-plugins.
// Thread: Start in Activate, which posts all that follows; `take` is called on the scheduling thread.
#pragma once

#include <berth/host.hpp>
#include <berth/tasks.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "source.h"

namespace plugins::trimaran {

class Feed {
 public:
  static constexpr std::chrono::seconds kInterval{30};
  using Take = std::function<void(std::shared_ptr<const Snapshot>)>;

  Feed(const berth::sdk::Host& host, const berth::sdk::Tasks& tasks, std::unique_ptr<Source> source, Take take)
      : host_(host), tasks_(tasks), source_(std::move(source)), take_(std::move(take)) {}

  void Start() {
    const bool stuck = open_ != 0 && ++skipped_ > kMostSkipped, begins = open_ == 0 || stuck;
    if (begins) {
      open_ = ++last_;
      skipped_ = 0;
    }
    const uint64_t number = open_;
    tasks_.Post(kInterval, [this] { Start(); });  // first, because what follows can throw
    if (stuck) Tell("no complete answer");
    if (begins) Fetch(number);
  }

 private:
  // The number of rounds to wait for a fetch. A source ends a request without traffic, but a server can send single
  // bytes, and a reply that throws does not end a fetch.
  static constexpr int kMostSkipped = 2;

  void Fetch(uint64_t number) {
    source_->Fetch(tasks_.WallUnixNs() / 1'000'000'000, [this, number](Fetched fetched) {
      tasks_.Post([this, number, fetched = std::move(fetched)] { End(number, fetched); });
    });
  }
  void End(uint64_t number, const Fetched& fetched) {
    if (number != open_) return;  // another one has begun
    open_ = 0;
    Tell(fetched.error);
    if (fetched.snapshot != nullptr) take_(fetched.snapshot);
  }
  // Logged once for each failure, and not for its repetitions.
  void Tell(const std::string& error) {
    if (error == told_) return;
    if (error.empty()) {
      host_.Info("Reads the load of nodes again", {{"source", source_->name()}});
    } else {
      host_.Warning("Cannot read the load of nodes; what was read last stays in use",
                    {{"source", source_->name()}, {"err", error}});
    }
    told_ = error;
  }

  const berth::sdk::Host& host_;
  const berth::sdk::Tasks& tasks_;
  const std::unique_ptr<Source> source_;
  const Take take_;
  uint64_t last_ = 0, open_ = 0;  // fetches, numbered from 1; open_ 0: none
  int skipped_ = 0;
  std::string told_;
};

}  // namespace plugins::trimaran
