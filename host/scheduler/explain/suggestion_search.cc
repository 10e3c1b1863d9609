#include "scheduler/explain/suggestion_search.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "scheduler/explain/node_groups.h"

namespace berth::explain {
namespace {

std::vector<std::string> Changes(const std::vector<PodEdit>& edits) {
  std::vector<std::string> changes;
  for (const PodEdit& edit : edits) changes.push_back(edit.change);
  return changes;
}

}  // namespace

SuggestionSearch::SuggestionSearch(engine::Engine& engine, api::InternTables& intern, api::PodRef pod,
                                   const std::vector<Group>& groups)
    : engine_(engine), intern_(intern), pod_(std::move(pod)) {
  Extend({}, *pod_, groups);
}

bool SuggestionSearch::Step() {
  if (engine_.queue().Find(pod_->key()) == nullptr) return false;  // it has got a node, or is gone
  if (to_try_.empty() || evaluations_ == kMaxEvaluations) return TryWithoutPods();
  const Edits edits = std::move(to_try_.front());
  to_try_.pop_front();
  ++evaluations_;
  Try(edits);
  return true;
}

void SuggestionSearch::Try(const Edits& edits) {
  auto edited = Edited(intern_, *pod_, edits);
  cycle::CycleResult result;
  if (!edited || !engine_.Preview(*edited->pod, result)) return;
  if (result.outcome == cycle::Outcome::kChosen) {
    std::erase_if(to_try_, [&](const Edits& other) { return other.size() > edits.size(); });
    found_.push_back({.change = base::Join(Changes(edits), ", and "),
                      .patch = json::Value(std::move(edited->patch)),
                      .node = result.node_name,
                      .nodes = result.feasible_nodes});
  } else if (found_.empty() && edits.size() < kMaxChanges && result.table != nullptr) {
    Extend(edits, *edited->pod, GroupsOf(*result.table));
  }
}

bool SuggestionSearch::TryWithoutPods() {
  if (!nodes_) {
    nodes_ = engine_.NodesForRoom(*pod_, kMaxNodes);
    std::reverse(nodes_->begin(), nodes_->end());
    return true;
  }
  if (nodes_->empty()) {
    if (!fewest_.deletes.empty()) found_.push_back(std::exchange(fewest_, {}));
    return false;
  }
  const std::string node = std::move(nodes_->back());
  nodes_->pop_back();
  std::vector<std::string> pods = engine_.PodsToLeave(*pod_, node);
  const size_t most = fewest_.deletes.empty() ? kMaxDeletes : fewest_.deletes.size() - 1;
  if (pods.empty() || pods.size() > most) return true;
  std::string change = "delete " + base::Join(pods, ", ") + " from " + node;
  fewest_ = {.change = std::move(change), .deletes = std::move(pods), .node = node, .nodes = 1};
  return true;
}

void SuggestionSearch::Extend(const Edits& edits, const api::Pod& edited, const std::vector<Group>& groups) {
  for (PodEdit& edit : EditsFor(engine_, edited, groups)) {
    const bool repeats = std::any_of(edits.begin(), edits.end(), [&](const PodEdit& e) { return e.kind == edit.kind; });
    if (repeats && edit.kind != PodEdit::Kind::kTolerate) continue;
    Edits longer = edits;
    longer.push_back(std::move(edit));
    const std::vector<std::string> changes = Changes(longer);
    const std::set<std::string> combination(changes.begin(), changes.end());
    if (combination.size() == longer.size() && combinations_.insert(combination).second) {
      to_try_.push_back(std::move(longer));
    }
  }
}

}  // namespace berth::explain
