// Prometheus: the average and the deviation of two series over 15 minutes, one query after the other. If the server
// answers with an error, the queries are repeated over 10 and then 5 minutes. Source:
// pkg/watcher/internal/metricsprovider/prometheus.go of paypal/load-watcher. Thread: see source.h.
#pragma once

#include <berth/http.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "feed_args.h"
#include "replies.h"
#include "server_url.h"
#include "source.h"

namespace plugins::trimaran {

class PrometheusSource final : public Source {
 public:
  PrometheusSource(const berth::sdk::Host& host, const FeedArgs& args)
      : host_(host),
        http_(host),
        address_(args.address.value_or("").empty() ? "http://prometheus-k8s:9090" : WithoutSlashes(*args.address)),
        authorization_(args.token.value_or("").empty() ? "" : "Bearer " + *args.token),
        insecure_(args.insecure.value_or(false)) {}

  std::string name() const override { return address_; }
  void Fetch(int64_t now, Done done) override {
    auto round = std::make_shared<Round>();
    round->done = std::move(done);
    round->snapshot.window_end = now;
    Ask(std::move(round));
  }

 private:
  struct Query {
    const char *type, *op, *function, *series;
  };
  static constexpr Query kQueries[] = {{"CPU", "AVG", "avg_over_time", "instance:node_cpu:ratio"},
                                       {"Memory", "AVG", "avg_over_time", "instance:node_memory_utilisation:ratio"},
                                       {"CPU", "STD", "stddev_over_time", "instance:node_cpu:ratio"},
                                       {"Memory", "STD", "stddev_over_time", "instance:node_memory_utilisation:ratio"}};
  static constexpr const char* kWindows[] = {"15m", "10m", "5m"};

  // One fetch. Its requests follow one another.
  struct Round {
    Done done;
    Snapshot snapshot;
    size_t window = 0, query = 0;
  };

  static std::string Escaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
      escaped += c == '(' ? "%28" : c == ')' ? "%29" : c == '[' ? "%5B" : c == ']' ? "%5D" : std::string(1, c);
    }
    return escaped;
  }
  static std::string TextOf(const Round& round) {
    const Query& query = kQueries[round.query];
    return std::string(query.function) + "(" + query.series + "[" + kWindows[round.window] + "])";
  }

  void Ask(std::shared_ptr<Round> round) {
    const std::string url = address_ + "/api/v1/query?query=" + Escaped(TextOf(*round));
    http_.Get({.url = url, .authorization = authorization_, .insecure = insecure_, .timeout = std::chrono::seconds(10)},
              [this, round](const berth::sdk::ApiReply& reply) { Take(round, reply); });
  }
  void Take(const std::shared_ptr<Round>& round, const berth::sdk::ApiReply& reply) {
    const std::string error = Add(*round, reply);
    if (!error.empty()) return Fail(round, error, reply.code);
    if (++round->query < std::size(kQueries)) return Ask(round);
    round->done(Fetched::Of(std::move(round->snapshot)));
  }
  // Empty, or why the reply is unusable.
  std::string Add(Round& round, const berth::sdk::ApiReply& reply) const {
    if (!reply.ok()) return Fetched::Refused(reply).error + ErrorIn(reply);
    const Query& query = kQueries[round.query];
    std::optional<uint32_t> added;
    berth::sdk::ReadJson(host_, reply.body, [&](const berth::sdk::Value& document) {
      added = AddVector(document, query.type, query.op, round.snapshot);
    });
    if (!added) return "the answer to " + TextOf(round) + " is no vector";
    // Without this error no node would get a score, and the log would not say why.
    if (*added == 0 && round.query == 0) return std::string("there is no series ") + query.series;
    return "";
  }
  // The text of an error in Prometheus' answer.
  std::string ErrorIn(const berth::sdk::ApiReply& reply) const {
    std::string text;
    if (reply.code == 0) return text;
    berth::sdk::ReadJson(host_, reply.body,
                         [&](const berth::sdk::Value& document) { text = document.Get("error").AsString(); });
    return text.empty() ? text : ": " + Fetched::Shortened(std::move(text));
  }
  void Fail(const std::shared_ptr<Round>& round, const std::string& error, int32_t code) {
    const bool refused = code >= 400 && code != 401 && code != 403;
    if (!refused || round->window + 1 == std::size(kWindows)) return round->done(Fetched::Failed(error));
    ++round->window;
    round->query = 0;
    round->snapshot.nodes.clear();
    Ask(round);
  }

  const berth::sdk::Host& host_;
  const berth::sdk::Http http_;
  const std::string address_, authorization_;
  const bool insecure_;
};

}  // namespace plugins::trimaran
