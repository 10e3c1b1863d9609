#include "simulator/simulation/pending_pods.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text_table.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/explain_pod.h"
#include "scheduler/explain/suggestion_search.h"

namespace berth::simulation {
namespace {

void Suggest(engine::Engine& engine, api::InternTables& intern, explain::Explanation& pod) {
  pod.searched = true;
  explain::SuggestionSearch search(engine, intern, engine.PodByKey(pod.pod), pod.groups);
  while (search.Step()) {
  }
  pod.suggestions = search.found();
}

std::string SuggestionText(const explain::Suggestion& one) {
  const std::string nodes = one.nodes == 1 ? " (1 node, " : " (" + std::to_string(one.nodes) + " nodes, for example ";
  return one.change + nodes + one.node + ")";
}

}  // namespace

std::vector<explain::Explanation> ExplainPendingPods(Simulation& simulation, api::InternTables& intern) {
  engine::Engine& engine = simulation.engine();
  std::vector<std::string> keys;
  for (const queue::QueuedPod* queued : engine.queue().Pending().pods) keys.emplace_back(queued->key());
  std::sort(keys.begin(), keys.end());
  std::vector<explain::Explanation> pods;
  for (const std::string& key : keys) {
    auto pod = explain::ExplainPod(engine, intern, simulation.now_unix_ns(), key);
    if (!pod || pod->state != explain::State::kPending || pod->deleted) continue;
    if (pod->n_fitting == 0) Suggest(engine, intern, *pod);
    pods.push_back(*std::move(pod));
  }
  return pods;
}

json::Value PendingJson(const std::vector<explain::Explanation>& pods) {
  json::Value out{json::Array()};
  for (const explain::Explanation& pod : pods) {
    out.Append(json::Value::MakeObject({{"pod", pod.pod},
                                        {"summary", pod.summary},
                                        {"fittingNodes", static_cast<int64_t>(pod.n_fitting)},
                                        {"suggestions", explain::SuggestionsJson(pod.suggestions)}}));
  }
  return out;
}

void PrintPendingPods(std::ostream& out, const std::vector<explain::Explanation>& pods, size_t width) {
  if (pods.empty()) return;
  out << "\nWHAT WOULD MAKE THE PENDING PODS FIT\n";
  for (const explain::Explanation& pod : pods) {
    out << pod.pod << '\n';
    for (const explain::Suggestion& one : pod.suggestions) {
      out << "    - " << base::Wrap(SuggestionText(one), width, 6) << '\n';
    }
    if (pod.n_fitting != 0) {
      out << "    It fits on " << pod.n_fitting << (pod.n_fitting == 1 ? " node" : " nodes") << " as it is.\n";
    } else if (pod.suggestions.empty()) {
      out << "    No change was found after which it would fit.\n";
    }
  }
}

}  // namespace berth::simulation
