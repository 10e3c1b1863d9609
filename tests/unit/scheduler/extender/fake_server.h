// A server that sends a fixed reply and records its requests, and an extender that uses it.
// Thread: that of the test; the server has its own.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "api/intern_tables.h"
#include "raw_server.h"
#include "scheduler/extender/make.h"

namespace berth::extender {

class FakeServer {
 public:
  explicit FakeServer(std::string answer, int status = 200)
      : server_(http::Answering([this, answer, status](http::ServerConnection& to, const http::SeenRequest& request) {
          {
            std::lock_guard lock(mutex_);
            seen_.push_back(request);
          }
          to.WriteReply(status, answer);
        })) {}

  std::string url() const { return server_.url(); }
  int connections() const { return server_.connections(); }
  std::vector<http::SeenRequest> seen() const {
    std::lock_guard lock(mutex_);
    return seen_;
  }
  http::SeenRequest only() const {
    const auto all = seen();
    if (all.size() != 1) ADD_FAILURE() << all.size() << " requests";
    return all.empty() ? http::SeenRequest() : all[0];
  }

 private:
  mutable std::mutex mutex_;
  std::vector<http::SeenRequest> seen_;  // guarded by mutex_
  http::RawServer server_;
};

using Change = std::function<void(config::Extender&)>;

// A configuration with every verb that sends names and uids, unless change sets other values.
inline config::Extender Config(const std::string& url, const Change& change = nullptr) {
  config::Extender config;
  config.url_prefix = url;
  config.filter_verb = "filter";
  config.prioritize_verb = "prioritize";
  config.bind_verb = "bind";
  config.preempt_verb = "preempt";
  config.weight = 3;
  config.http_timeout = std::chrono::seconds(10);
  config.node_cache_capable = true;
  if (change) change(config);
  return config;
}

inline api::InternTables& Tables() {
  static api::InternTables intern;
  return intern;
}

inline base::Result<Extenders> MakeAll(std::vector<config::Extender> extenders,
                                       const credentials::Environment& environment = {}) {
  config::Configuration configuration;
  configuration.extenders = std::move(extenders);
  return Make(configuration, Tables(), environment);
}

inline std::unique_ptr<framework::Extender> MakeOne(const std::string& url, const Change& change = nullptr,
                                                    const credentials::Environment& environment = {}) {
  auto made = MakeAll({Config(url, change)}, environment);
  if (!made) ADD_FAILURE() << made.error().message;
  return made ? std::move(made->front()) : nullptr;
}

inline void WithManifests(config::Extender& config) { config.node_cache_capable = false; }

inline const std::vector<framework::ExtenderNode> kTwoNodes{{"node1", R"({"metadata":{"name":"node1"},"spec":{}})"},
                                                            {"node2", R"({"metadata":{"name":"node2"}})"}};
inline constexpr const char* kPod = R"({"metadata":{"name":"p","namespace":"ns","uid":"u"}})";

}  // namespace berth::extender
