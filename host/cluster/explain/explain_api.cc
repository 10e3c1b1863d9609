#include "cluster/explain/explain_api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/explain/cluster_facts.h"
#include "cluster/explain/page.h"
#include "cluster/explain/policy_diff.h"
#include "cluster/serve/query.h"
#include "codec/json/value.h"
#include "scheduler/engine/ask.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/explain_pod.h"
#include "scheduler/explain/suggestion_search.h"

namespace berth::explain {
namespace {

using DecisionRef = std::shared_ptr<const decisions::Decision>;

constexpr std::string_view kDecisions = "/admin/v1/decisions/", kPods = "/admin/v1/pods/";
constexpr std::array<std::string_view, 6> kPaths{"/admin/v1/decisions", "/admin/v1/pods",   "/admin/v1/queue",
                                                 "/admin/v1/nodes",     "/admin/v1/policy", "/explain"};
constexpr uint64_t kMaxDecisions = 1000, kMaxPods = 10'000;
constexpr size_t kMaxLabels = 4;

http::Answer Json(std::string text) {
  text += '\n';
  return {.status = 200, .content_type = "application/json", .body = std::move(text), .headers = serve::NoSniff()};
}

http::Answer Busy() { return serve::PlainError(503, "the scheduling thread did not answer in time"); }

// The parameters of a query. An unknown or invalid one is an error that names it.
class Parameters {
 public:
  explicit Parameters(std::string_view query) : pairs_(serve::ParseQuery(query)) {}

  uint64_t Number(std::string_view name, uint64_t otherwise, uint64_t least, uint64_t greatest) {
    const std::string* text = Take(name);
    if (text == nullptr) return otherwise;
    uint64_t number = 0;
    const char* end = text->data() + text->size();
    const auto [at, error] = std::from_chars(text->data(), end, number);
    if (error != std::errc() || at != end || number < least || number > greatest) {
      error_ = std::string(name) + ": \"" + *text + "\" is not a number from " + std::to_string(least) + " to " +
               std::to_string(greatest);
    }
    return number;
  }
  std::string Text(std::string_view name) {
    const std::string* text = Take(name);
    return text == nullptr ? "" : *text;
  }
  std::vector<std::string> Texts(std::string_view name) {
    std::vector<std::string> texts;
    while (const std::string* text = Take(name)) texts.push_back(*text);
    return texts;
  }
  // Call it after all parameters were read. "": everything was valid.
  std::string Error() const {
    if (!error_.empty()) return error_;
    for (const auto& [name, value] : pairs_) {
      if (!name.empty()) return "unknown or repeated parameter \"" + name + "\"";
    }
    return "";
  }

 private:
  const std::string* Take(std::string_view name) {
    for (auto& [key, value] : pairs_) {
      if (key != name) continue;
      key.clear();
      return &value;
    }
    return nullptr;
  }

  std::vector<std::pair<std::string, std::string>> pairs_;  // key "": it was taken
  std::string error_;
};

struct DecisionFilter {
  uint64_t limit, before, after;
  std::string pod, profile;
};

struct DecisionCopy {
  std::vector<DecisionRef> decisions;
  size_t attempts, tables, bytes;
  decisions::Limits limits;
};

DecisionCopy CopyDecisions(decisions::Ring& ring, const DecisionFilter& filter) {
  DecisionCopy copy{{}, ring.size(), ring.n_tables(), ring.bytes(), ring.limits()};
  ring.ForEachOf(filter.before, filter.pod, filter.profile, [&](const DecisionRef& one) {
    if (one->id <= filter.after) return false;
    copy.decisions.push_back(one);
    return copy.decisions.size() < filter.limit;
  });
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
  return json::Dump(Versioned(
      "DecisionList", json::Value::MakeObject({{"decisions", std::move(list)}, {"recorded", std::move(recorded)}})));
}

http::Answer ListDecisions(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const DecisionFilter filter{.limit = parameters.Number("limit", 100, 1, kMaxDecisions),
                              .before = parameters.Number("before", UINT64_MAX, 0, UINT64_MAX),
                              .after = parameters.Number("after", 0, 0, UINT64_MAX),
                              .pod = parameters.Text("pod"),
                              .profile = parameters.Text("profile")};
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  engine::Engine& engine = sources.engine;
  const auto copy = engine::Ask(engine, [&engine, filter] { return CopyDecisions(engine.decisions().ring(), filter); });
  return copy ? Json(DecisionsText(*copy)) : Busy();
}

http::Answer OneDecision(const ExplainSources& sources, const http::Incoming& request) {
  const std::string_view text = std::string_view(request.path).substr(kDecisions.size());
  uint64_t id = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || at != text.data() + text.size()) {
    return serve::PlainError(400, "\"" + std::string(text) + "\" is not the ID of a decision");
  }
  engine::Engine& engine = sources.engine;
  const auto found = engine::Ask(engine, [&engine, id] { return FindDecision(engine, id); });
  if (!found) return Busy();
  if (*found == nullptr)
    return serve::PlainError(404, "decision " + std::string(text) + " is not recorded, or not any more");
  return Json(DecisionText(**found));
}

// Each evaluation is a task of its own, so that pods are scheduled between two of them.
std::vector<Suggestion> Search(const ExplainSources& sources, const std::string& pod,
                               const std::vector<Group>& groups) {
  engine::Engine& engine = sources.engine;
  api::InternTables& intern = sources.intern;
  using SearchRef = std::shared_ptr<SuggestionSearch>;
  auto search = engine::Ask(engine, [&engine, &intern, pod, groups] {
    const api::PodRef found = engine.PodByKey(pod);
    return found ? std::make_shared<SuggestionSearch>(engine, intern, found, groups) : SearchRef();
  });
  if (!search || *search == nullptr) return {};
  for (bool more = true; more;) {
    const auto stepped = engine::Ask(engine, [one = *search] { return one->Step(); });
    more = stepped && *stepped;
  }
  const auto found = engine::Ask(engine, [one = *search] { return one->found(); });
  return found ? *found : std::vector<Suggestion>();
}

http::Answer OnePod(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const bool suggest = parameters.Number("suggest", 0, 0, 1) == 1;
  const std::string node = parameters.Text("node");
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  const std::string key = request.path.substr(kPods.size());
  auto explained = engine::Ask(sources.engine, [sources, key, node] {
    return ExplainPod(sources.engine, sources.intern, base::RealClock().WallUnixNs(), key, node);
  });
  if (!explained) return Busy();
  if (!*explained) return serve::PlainError(404, "the scheduler knows no pod \"" + key + "\"");
  Explanation& explanation = **explained;
  if (suggest && explanation.state == State::kPending && explanation.n_fitting == 0) {
    explanation.searched = true;
    explanation.suggestions = Search(sources, key, explanation.groups);
  }
  return Json(json::Dump(Versioned("PodExplanation", ExplanationJson(explanation))));
}

http::Answer Queue(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const size_t limit = parameters.Number("limit", 1000, 1, kMaxPods);
  if (const std::string error = parameters.Error(); !error.empty()) return serve::PlainError(400, error);
  const auto copy =
      engine::Ask(sources.engine, [sources, limit] { return CopyQueue(sources.engine, sources.intern, limit); });
  return copy ? Json(QueueText(*copy)) : Busy();
}

http::Answer Nodes(const ExplainSources& sources, const http::Incoming& request) {
  Parameters parameters(request.query);
  const std::vector<std::string> labels = parameters.Texts("label");
  std::string error = parameters.Error();
  if (labels.size() > kMaxLabels) error = "label: at most " + std::to_string(kMaxLabels) + " keys";
  if (!error.empty()) return serve::PlainError(400, error);
  const auto copy = engine::Ask(sources.engine, [sources] { return CopyNodes(sources.engine, sources.intern); });
  return copy ? Json(NodesText(*copy, sources.intern, labels)) : Busy();
}

using Answerer = http::Answer (*)(const ExplainSources&, const http::Incoming&);

void Add(serve::Routes& routes, const ExplainSources& sources, std::string_view path, bool prefix, Answerer answer) {
  routes.Add({.path = std::string(path),
              .prefix = prefix,
              .listed = !prefix,
              .methods = {"GET", "HEAD"},
              .handler = [sources, answer](const http::Incoming& request) { return answer(sources, request); }});
}

}  // namespace

bool Explains(std::string_view encoded_path) {
  const std::string path = serve::DecodePath(encoded_path);
  return std::any_of(kPaths.begin(), kPaths.end(), [&](std::string_view one) {
    return path == one || (path.size() > one.size() && path.starts_with(one) && path[one.size()] == '/');
  });
}

void AddExplainRoutes(serve::Routes& routes, const ExplainSources& sources) {
  Add(routes, sources, kDecisions.substr(0, kDecisions.size() - 1), false, ListDecisions);
  Add(routes, sources, kDecisions, true, OneDecision);
  Add(routes, sources, kPods, true, OnePod);
  Add(routes, sources, "/admin/v1/queue", false, Queue);
  Add(routes, sources, "/admin/v1/nodes", false, Nodes);
  AddPolicyDiffRoute(routes, sources);
  AddPageRoutes(routes);
}

}  // namespace berth::explain
