#include "cmd/berthctl/why/log_pages.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "client/http/incoming.h"
#include "cluster/explain/decision_events.h"
#include "cluster/explain/explain_answers.h"
#include "cluster/explain/page.h"
#include "cluster/explain/query_parameters.h"
#include "cmd/berthctl/why/log_nodes.h"
#include "cmd/berthctl/why/logged_decision.h"
#include "scheduler/explain/decision_json.h"

namespace berth::ctl {
namespace {

using explain::JsonAnswer;
using json::Value;
using Index = std::shared_ptr<const LogIndex>;

constexpr std::string_view kDecisions = "/admin/v1/decisions/", kPods = "/admin/v1/pods/";

bool Selects(const LogIndex& index, const decisions::Filter& filter, const LogIndex::Entry& one) {
  return (filter.pod.empty() || index.Name(one.pod) == filter.pod) &&
         (filter.profile.empty() || index.Name(one.profile) == filter.profile) &&
         (!filter.result || *filter.result == one.result) && (!filter.with_nodes || one.with_nodes);
}

Value ItemOf(const LogIndex& index, const LogIndex::Entry& entry) { return SummaryOf(index.Head(entry)); }

uint64_t NewestOf(const LogIndex& index) { return index.entries().empty() ? 0 : index.entries().back().id; }

// A stream of a log that does not change.
class Stillness final : public http::BodySource {
 public:
  explicit Stillness(std::string first) : first_(std::move(first)) {}
  std::optional<std::string> Next() override { return std::exchange(first_, {}); }
  void SetWake(std::function<void()>) override {}

 private:
  std::string first_;
};

http::Answer Decisions(const Index& index, const http::Incoming& request) {
  explain::Parameters parameters(request.query);
  const bool watch = parameters.Flag("watch");
  const explain::ListRequest list = parameters.List();
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  if (watch) {
    return {.content_type = "text/event-stream",
            .source = std::make_shared<Stillness>(explain::InstanceEvent(NewestOf(*index)))};
  }
  Value found{json::Array()};
  for (auto one = index->entries().rbegin(); one != index->entries().rend() && one->id > list.after; ++one) {
    if (found.array().size() == list.limit) break;
    if (one->id < list.before && Selects(*index, list.filter, *one)) found.Append(ItemOf(*index, *one));
  }
  return JsonAnswer(json::Dump(
      explain::Versioned("DecisionList", Value::MakeObject({{"instance", explain::InstanceId()},
                                                            {"newest", static_cast<int64_t>(NewestOf(*index))},
                                                            {"decisions", std::move(found)}}))));
}

http::Answer OneDecision(const Index& index, const http::Incoming& request) {
  const std::string_view text = std::string_view(request.path).substr(kDecisions.size());
  const std::optional<uint64_t> id = explain::ParseNumber(text);
  if (!id) return serve::PlainError(400, "\"" + std::string(text) + "\" is not the ID of a decision");
  const LogIndex::Entry* found = index->Find(*id);
  if (found == nullptr) return serve::PlainError(404, "the log has no decision " + std::string(text));
  return JsonAnswer(index->Line(*found));
}

http::Answer OnePod(const Index& index, const http::Incoming& request) {
  explain::Parameters parameters(request.query);
  const bool suggest = parameters.Number("suggest", 0, 0, 1) == 1;
  if (!parameters.Text("node").empty()) return serve::PlainError(400, "node: only a running scheduler evaluates nodes");
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  const std::string pod = request.path.substr(kPods.size());
  const LogIndex::Entry* last = index->LastOf(pod);
  if (last == nullptr) return serve::PlainError(404, "the log has no attempt of pod \"" + pod + "\"");
  return JsonAnswer(json::Dump(ExplanationOf(index->Head(*last), suggest ? index->PendingOf(pod) : Value())));
}

Value PendingOf(const LogIndex& index, const LogIndex::Entry& entry) {
  const Value head = index.Head(entry);
  Value out = Value::MakeObject({{"where", "unschedulable"}});
  for (const auto& [from, to] : {std::pair("pod", "pod"),
                                 {"profile", "profile"},
                                 {"attempt", "attempts"},
                                 {"rejectedBy", "rejectedBy"},
                                 {"message", "message"},
                                 {"started", "since"}}) {
    if (const Value* value = head.Find(from)) out.Set(to, *value);
  }
  return out;
}

http::Answer Queue(const Index& index, const http::Incoming& request) {
  explain::Parameters parameters(request.query);
  const uint64_t limit = parameters.Number("limit", 1000, 1, 10'000);
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  Value pods{json::Array()};
  int64_t total = 0;
  for (const LogIndex::Entry& one : index->entries()) {
    const bool waits = one.result != decisions::Result::kScheduled && index->IsLastOfPod(one);
    if (waits && static_cast<uint64_t>(++total) <= limit) pods.Append(PendingOf(*index, one));
  }
  return JsonAnswer(json::Dump(explain::Versioned("QueueState", Value::MakeObject({{"active", 0},
                                                                                   {"backoff", 0},
                                                                                   {"unschedulable", total},
                                                                                   {"gated", 0},
                                                                                   {"binding", 0},
                                                                                   {"total", total},
                                                                                   {"pods", std::move(pods)}}))));
}

http::Answer NodeTable(const Index& index, const http::Incoming& request) {
  explain::Parameters parameters(request.query);
  parameters.Texts("label");  // the log knows none
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  return JsonAnswer(json::Dump(NodesOf(*index)));
}

using Answerer = http::Answer (*)(const Index&, const http::Incoming&);

}  // namespace

void AddLogRoutes(serve::Routes& routes, std::shared_ptr<const LogIndex> index) {
  const auto add = [&](std::string_view path, bool prefix, Answerer answer) {
    routes.Add({.path = std::string(path),
                .prefix = prefix,
                .methods = {"GET", "HEAD"},
                .handler = explain::OfOwnSite(
                    [index, answer](const http::Incoming& request) { return answer(index, request); })});
  };
  add("/admin/v1/decisions", false, Decisions);
  add(kDecisions, true, OneDecision);
  add(kPods, true, OnePod);
  add("/admin/v1/queue", false, Queue);
  add("/admin/v1/nodes", false, NodeTable);
  explain::AddPageRoutes(routes);
}

}  // namespace berth::ctl
