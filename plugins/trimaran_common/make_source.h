// The source of metrics that the args name. Thread: background.
#pragma once

#include <berth/host.hpp>

#include <memory>

#include "feed_args.h"
#include "metrics_server_source.h"
#include "prometheus_source.h"
#include "watcher_source.h"

namespace plugins::trimaran {

inline std::unique_ptr<Source> MakeSource(const berth::sdk::Host& host, const FeedArgs& args) {
  if (args.of_watcher()) return std::make_unique<WatcherSource>(host, *args.watcher);
  if (args.of_prometheus()) return std::make_unique<PrometheusSource>(host, args);
  return std::make_unique<MetricsServerSource>(host);
}

}  // namespace plugins::trimaran
