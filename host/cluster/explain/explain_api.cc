#include "cluster/explain/explain_api.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/explain/cluster_facts.h"
#include "cluster/explain/decision_list.h"
#include "cluster/explain/explain_answers.h"
#include "cluster/explain/page.h"
#include "cluster/explain/policy_diff.h"
#include "cluster/explain/query_parameters.h"
#include "cluster/explain/watch_hub.h"
#include "cluster/serve/query.h"
#include "codec/json/value.h"
#include "scheduler/engine/ask.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/explain_pod.h"
#include "scheduler/explain/suggestion_search.h"

namespace berth::explain {
namespace {

constexpr std::string_view kDecisions = "/admin/v1/decisions/", kPods = "/admin/v1/pods/";
constexpr std::array<std::string_view, 6> kPaths{"/admin/v1/decisions", "/admin/v1/pods",   "/admin/v1/queue",
                                                 "/admin/v1/nodes",     "/admin/v1/policy", "/explain"};
constexpr uint64_t kMaxPods = 10'000;
constexpr size_t kMaxLabels = 4;

// Ends the wait when the scheduler ends.
template <class Fn>
auto Ask(const ExplainSources& sources, Fn fn) {
  return engine::Ask(sources.engine, std::move(fn), sources.ending);
}

http::Answer OneDecision(const ExplainSources& sources, const http::Incoming& request) {
  const std::string_view text = std::string_view(request.path).substr(kDecisions.size());
  const std::optional<uint64_t> id = ParseNumber(text);
  if (!id) return serve::PlainError(400, "\"" + std::string(text) + "\" is not the ID of a decision");
  engine::Engine& engine = sources.engine;
  const auto found = Ask(sources, [&engine, id] { return FindDecision(engine, *id); });
  if (!found) return BusyAnswer();
  if (*found == nullptr)
    return serve::PlainError(404, "decision " + std::string(text) + " is not recorded, or not any more");
  return JsonAnswer(DecisionText(**found));
}

// Each evaluation is a task of its own, so that pods are scheduled between two of them. nullopt: the scheduling thread
// did not answer one.
std::optional<std::vector<Suggestion>> Search(const ExplainSources& sources, const std::string& pod,
                                              const std::vector<Group>& groups) {
  engine::Engine& engine = sources.engine;
  api::InternTables& intern = sources.intern;
  using SearchRef = std::shared_ptr<SuggestionSearch>;
  auto search = Ask(sources, [&engine, &intern, pod, groups] {
    const api::PodRef found = engine.PodByKey(pod);
    return found ? std::make_shared<SuggestionSearch>(engine, intern, found, groups) : SearchRef();
  });
  if (!search) return std::nullopt;
  if (*search == nullptr) return std::vector<Suggestion>();
  for (bool more = true; more;) {
    const auto stepped = Ask(sources, [one = *search] { return one->Step(); });
    if (!stepped) return std::nullopt;
    more = *stepped;
  }
  return Ask(sources, [one = *search] { return one->found(); });
}

http::Answer OnePod(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const bool suggest = parameters.Number("suggest", 0, 0, 1) == 1;
  const std::string node = parameters.Text("node");
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  const std::string key = request.path.substr(kPods.size());
  auto explained = Ask(sources, [sources, key, node] {
    return ExplainPod(sources.engine, sources.intern, sources.engine.clock().WallUnixNs(), key, node);
  });
  if (!explained) return BusyAnswer();
  if (!*explained) return serve::PlainError(404, "the scheduler knows no pod \"" + key + "\"");
  Explanation& explanation = **explained;
  if (suggest && explanation.state == State::kPending && explanation.n_fitting == 0) {
    auto found = Search(sources, key, explanation.groups);
    explanation.searched = found.has_value();
    if (found) explanation.suggestions = *std::move(found);
  }
  return JsonAnswer(json::Dump(Versioned("PodExplanation", ExplanationJson(explanation))));
}

http::Answer Queue(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const size_t limit = parameters.Number("limit", 1000, 1, kMaxPods);
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  const auto copy = Ask(sources, [sources, limit] { return CopyQueue(sources.engine, sources.intern, limit); });
  return copy ? JsonAnswer(QueueText(*copy)) : BusyAnswer();
}

http::Answer Nodes(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const std::vector<std::string> labels = parameters.Texts("label");
  std::string error = parameters.Error();
  if (labels.size() > kMaxLabels) error = "label: at most " + std::to_string(kMaxLabels) + " keys";
  if (!error.empty()) return serve::PlainError(400, error);
  const auto copy = Ask(sources, [sources] { return CopyNodes(sources.engine, sources.intern); });
  return copy ? JsonAnswer(NodesText(*copy, sources.intern, labels)) : BusyAnswer();
}

// Ends the streams when stop is requested. Ownership: shared by its route and by the streams.
struct EndingHub {
  EndingHub(engine::Engine& engine, const std::stop_token& ending)
      : hub(std::make_shared<WatchHub>(engine)), end(ending, [this] { hub->End(); }) {}
  const std::shared_ptr<WatchHub> hub;
  std::stop_callback<std::function<void()>> end;
};

void AddDecisionRoute(serve::Routes& routes, const ExplainSources& sources) {
  const auto watching = std::make_shared<EndingHub>(sources.engine, sources.ending);
  routes.Add({.path = "/admin/v1/decisions",
              .methods = {"GET", "HEAD"},
              .handler = OfOwnSite([sources, watching](const http::Incoming& request) {
                return ListOrWatchDecisions(sources.engine, *watching->hub, sources.ending, request);
              })});
}

using Answerer = http::Answer (*)(const ExplainSources&, const http::Incoming&);

void Add(serve::Routes& routes, const ExplainSources& sources, std::string_view path, bool prefix, Answerer answer) {
  routes.Add(
      {.path = std::string(path),
       .prefix = prefix,
       .listed = !prefix,
       .methods = {"GET", "HEAD"},
       .handler = OfOwnSite([sources, answer](const http::Incoming& request) { return answer(sources, request); })});
}

}  // namespace

bool Explains(std::string_view encoded_path) {
  const std::string path = serve::DecodePath(encoded_path);
  return std::any_of(kPaths.begin(), kPaths.end(), [&](std::string_view one) {
    return path == one || (path.size() > one.size() && path.starts_with(one) && path[one.size()] == '/');
  });
}

void AddExplainRoutes(serve::Routes& routes, const ExplainSources& sources) {
  AddDecisionRoute(routes, sources);
  Add(routes, sources, kDecisions, true, OneDecision);
  Add(routes, sources, kPods, true, OnePod);
  Add(routes, sources, "/admin/v1/queue", false, Queue);
  Add(routes, sources, "/admin/v1/nodes", false, Nodes);
  AddPolicyDiffRoute(routes, sources);
  AddPageRoutes(routes);
}

}  // namespace berth::explain
