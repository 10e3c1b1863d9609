// Fetches the metrics of nodes when the plugin becomes active, and then every 30 seconds. A failed fetch keeps what is
// known. Source: pkg/trimaran/collector.go of kubernetes-sigs/scheduler-plugins.
// Thread: Start in Activate; `take` is called on the scheduling thread.
#pragma once

#include <berth/host.hpp>
#include <berth/tasks.hpp>

#include <atomic>
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
    tasks_.Post(kInterval, [this] { Start(); });
    if (fetching_.exchange(true)) return;  // the last one has not ended
    source_->Fetch(tasks_.WallUnixNs() / 1'000'000'000,
                   [this](Fetched fetched) { tasks_.Post([this, fetched = std::move(fetched)] { End(fetched); }); });
  }

 private:
  void End(const Fetched& fetched) {
    fetching_ = false;
    Tell(fetched.error);
    if (fetched.snapshot != nullptr) take_(fetched.snapshot);
  }
  // Once for each failure, and not for each time that it repeats.
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
  std::atomic<bool> fetching_ = false;
  std::string told_;
};

}  // namespace plugins::trimaran
