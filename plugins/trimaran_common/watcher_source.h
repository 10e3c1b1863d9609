// load-watcher as a service. Source: pkg/watcher/api/client.go of paypal/load-watcher. Thread: see source.h.
#pragma once

#include <berth/http.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "replies.h"
#include "server_url.h"
#include "source.h"

namespace plugins::trimaran {

class WatcherSource final : public Source {
 public:
  WatcherSource(const berth::sdk::Host& host, std::string address)
      : host_(host), http_(host), address_(WithoutSlashes(std::move(address))) {}

  std::string name() const override { return address_; }
  void Fetch(int64_t, Done done) override {
    const std::string url = address_ + "/watcher";
    http_.Get({.url = url, .timeout = std::chrono::seconds(55)},
              [this, done = std::move(done)](const berth::sdk::ApiReply& reply) { done(Read(reply)); });
  }

 private:
  Fetched Read(const berth::sdk::ApiReply& reply) const {
    if (reply.code != 200) return Fetched::Refused(reply);
    std::optional<Snapshot> snapshot;
    const bool json = berth::sdk::ReadJson(
        host_, reply.body, [&](const berth::sdk::Value& document) { snapshot = ReadWatcher(document); });
    if (!json) return Fetched::Failed("the answer is no JSON");
    if (!snapshot) return Fetched::Failed("the answer has no data.NodeMetricsMap");
    return Fetched::Of(*std::move(snapshot));
  }

  const berth::sdk::Host& host_;
  const berth::sdk::Http http_;
  const std::string address_;
};

}  // namespace plugins::trimaran
