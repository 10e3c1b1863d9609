// metrics-server, through the API server and with the scheduler's own permissions. Source:
// pkg/watcher/internal/metricsprovider/k8s.go of paypal/load-watcher. Thread: see source.h.
#pragma once

#include <berth/api.hpp>
#include <berth/http.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "replies.h"
#include "source.h"

namespace plugins::trimaran {

class MetricsServerSource final : public Source {
 public:
  explicit MetricsServerSource(const berth::sdk::Host& host) : host_(host), api_(host) {}

  std::string name() const override { return "metrics.k8s.io/v1beta1"; }
  void Fetch(int64_t now, Done done) override {
    api_.Send({.verb = "GET", .group = "metrics.k8s.io", .version = "v1beta1", .resource = "nodes"},
              [this, now, done = std::move(done)](const berth::sdk::ApiReply& reply) { done(Read(reply, now)); });
  }

 private:
  Fetched Read(const berth::sdk::ApiReply& reply, int64_t now) const {
    if (!reply.ok()) return Fetched::Refused(reply);
    std::optional<Snapshot> snapshot;
    const bool json = berth::sdk::ReadJson(
        host_, reply.body, [&](const berth::sdk::Value& document) { snapshot = ReadMetricsServer(document); });
    if (!json) return Fetched::Failed("the answer is no JSON");
    if (!snapshot) return Fetched::Failed("the answer is no list of NodeMetrics");
    snapshot->window_end = now;
    return Fetched::Of(*std::move(snapshot));
  }

  const berth::sdk::Host& host_;
  const berth::sdk::Api api_;
};

}  // namespace plugins::trimaran
