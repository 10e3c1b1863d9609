#include "cluster/explain/decision_list.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "cluster/explain/explain_answers.h"
#include "cluster/explain/query_parameters.h"
#include "codec/json/value.h"
#include "scheduler/engine/ask.h"
#include "scheduler/explain/decision_json.h"

namespace berth::explain {
namespace {

struct DecisionCopy {
  std::vector<DecisionRef> decisions;
  uint64_t newest;  // when the first question was asked, like the others
  size_t attempts, tables, bytes;
  decisions::Limits limits;
  uint64_t next;  // IDs below are still to be examined; 0: none
};

// Scheduling thread.
DecisionCopy BeginCopy(const decisions::Ring& ring, const ListRequest& page) {
  return {{}, ring.last_id(), ring.size(), ring.n_tables(), ring.bytes(), ring.limits(), page.before};
}

// Scheduling thread.
DecisionCopy CopySome(const decisions::Ring& ring, const ListRequest& page, DecisionCopy copy) {
  const auto add = [&](const DecisionRef& one) {
    copy.decisions.push_back(one);
    return copy.decisions.size() < page.limit;
  };
  copy.next = ring.ForEachOf({.after = page.after, .before = copy.next}, page.filter, add, kExaminedAtOnce);
  if (copy.decisions.size() == page.limit) copy.next = 0;
  return copy;
}

std::optional<DecisionCopy> CopyDecisions(engine::Engine& engine, const ListRequest& page,
                                          const std::stop_token& ending) {
  const engine::Deadline deadline = engine::LatestAnswer();
  const auto begin = [&engine, page] {
    const decisions::Ring& ring = engine.decisions().ring();
    return CopySome(ring, page, BeginCopy(ring, page));
  };
  std::optional<DecisionCopy> copy = engine::Ask(engine, begin, ending, deadline);
  while (copy && copy->next != 0) {
    const auto go_on = [&engine, page, some = *std::move(copy)]() mutable {
      return CopySome(engine.decisions().ring(), page, std::move(some));
    };
    copy = engine::Ask(engine, go_on, ending, deadline);
  }
  return copy;
}

std::string DecisionsText(const DecisionCopy& copy) {
  json::Value list{json::Array()};
  for (const DecisionRef& one : copy.decisions) list.Append(DecisionJson(*one));
  json::Value recorded = json::Value::MakeObject({{"attempts", static_cast<int64_t>(copy.attempts)},
                                                  {"withNodes", static_cast<int64_t>(copy.tables)},
                                                  {"bytes", static_cast<int64_t>(copy.bytes)},
                                                  {"maxAttempts", static_cast<int64_t>(copy.limits.decisions)},
                                                  {"maxBytes", static_cast<int64_t>(copy.limits.bytes)}});
  return json::Dump(Versioned("DecisionList", json::Value::MakeObject({{"instance", InstanceId()},
                                                                       {"newest", static_cast<int64_t>(copy.newest)},
                                                                       {"decisions", std::move(list)},
                                                                       {"recorded", std::move(recorded)}})));
}

http::Answer List(engine::Engine& engine, Parameters parameters, const std::stop_token& ending) {
  const ListRequest page = parameters.List();
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  const auto copy = CopyDecisions(engine, page, ending);
  return copy ? JsonAnswer(DecisionsText(*copy)) : BusyAnswer();
}

http::Answer Watch(WatchHub& hub, Parameters parameters, std::string_view last_event) {
  WatchHub::Wish wish{.filter = parameters.Filter(),
                      .after = parameters.Number("after", WatchHub::kNow, 0, WatchHub::kGreatestId)};
  std::string error = parameters.Error();
  if (!last_event.empty()) {
    const std::optional<uint64_t> id = ParseNumber(last_event);
    if (!id) error = "Last-Event-ID: \"" + std::string(last_event) + "\" is not the ID of a decision";
    wish.after = std::min(id.value_or(0), WatchHub::kGreatestId);
  }
  if (!error.empty()) return serve::PlainError(400, error);
  http::Answer answer{.content_type = "text/event-stream", .headers = serve::NoSniff(), .source = hub.Watch(wish)};
  // Proxies that buffer answers let this one through.
  answer.headers.emplace_back("X-Accel-Buffering", "no");
  if (answer.source != nullptr) return answer;
  if (hub.ended()) return serve::PlainError(503, "the scheduler is ending");
  return serve::PlainError(
      429, std::to_string(hub.most()) + " clients watch the decisions already: end one of them, or ask without watch");
}

}  // namespace

const std::string& InstanceId() {
  static const std::string kId = [] {
    std::random_device random;
    char hex[17];
    std::snprintf(hex, sizeof hex, "%08x%08x", random(), random());
    return std::string(hex);
  }();
  return kId;
}

http::Answer ListOrWatchDecisions(engine::Engine& engine, WatchHub& hub, const std::stop_token& ending,
                                  const http::Incoming& request) {
  Parameters parameters(request.query);
  if (!parameters.Flag("watch")) return List(engine, std::move(parameters), ending);
  return Watch(hub, std::move(parameters), request.Header("last-event-id"));
}

}  // namespace berth::explain
