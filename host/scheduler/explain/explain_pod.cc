#include "scheduler/explain/explain_pod.h"

#include <algorithm>
#include <string>

#include "scheduler/explain/facts.h"
#include "scheduler/explain/node_groups.h"
#include "scheduler/explain/sentences.h"

namespace berth::explain {
namespace {

std::vector<Group> DetailedGroups(engine::Engine& engine, const api::Pod& pod, const decisions::NodeTable& table) {
  std::vector<Group> groups = GroupsOf(table);
  for (Group& group : groups) group.detail = DetailOf(engine.view(), pod, group);
  return groups;
}

// groups: of the table.
NodeAnswer AnswerFor(const decisions::NodeTable& table, const std::vector<Group>& groups, std::string_view node) {
  const uint32_t row = table.Find(node);
  NodeAnswer answer{.node = std::string(node), .examined = row != table.n_rows(), .fits = table.Passed(row)};
  for (const Group& group : groups) {
    if (std::find(group.rows.begin(), group.rows.end(), row) == group.rows.end()) continue;
    answer.plugin = group.plugin;
    answer.reasons.push_back(group.reason);
  }
  return answer;
}

class Explainer {
 public:
  Explainer(engine::Engine& engine, const api::InternTables& intern, api::PodRef pod)
      : engine_(engine), intern_(intern), pod_(std::move(pod)) {}

  Explanation Run(int64_t now_unix_ns, std::string_view node) {
    out_.pod = pod_->key();
    out_.profile = intern_.ids.Text(pod_->abi.scheduler_name);
    const queue::QueuedPod* queued = engine_.queue().Find(out_.pod);
    FillState(queued);
    if (queued != nullptr) FillQueue(*queued);
    FillDecision(queued);
    out_.deleted = pod_->abi.deletion_unix_ns != BERTH_NO_TIME;
    if (out_.state == State::kPending) Evaluate(node);
    out_.summary = Summary(out_, now_unix_ns);
    return std::move(out_);
  }

 private:
  void FillState(const queue::QueuedPod* queued) {
    if (pod_->abi.node_name != base::kNoId) {
      out_.state = State::kScheduled;
      out_.node = intern_.ids.Text(pod_->abi.node_name);
      return;
    }
    if (engine_.profiles().Find(pod_->abi.scheduler_name) == nullptr) {
      out_.state = State::kForeign;
      return;
    }
    if (queued != nullptr) {
      out_.state = queued->gated() ? State::kGated : State::kPending;
      return;
    }
    // From the choice of the node to the confirmation by the API server.
    if (const api::PodRef assumed = engine_.cache().FindPod(pod_->uid())) {
      out_.state = State::kBinding;
      out_.node = intern_.ids.Text(assumed->abi.node_name);
    }
  }

  void FillQueue(const queue::QueuedPod& queued) {
    out_.queue.where = queued.gated() ? "gated" : std::string(queue::PlaceLabel(queued.place()));
    out_.queue.attempts = queued.attempts;
    out_.queue.added_unix_ns = queued.timestamp;
    if (out_.queue.where == "backoff") out_.queue.backoff_until_unix_ns = queued.backoff_expiration;
    queued.ForEachRejector([&](base::Id plugin) { out_.queue.waits_for.emplace_back(intern_.ids.Text(plugin)); });
    if (queued.gated()) {
      out_.queue.gate = std::string(intern_.ids.Text(queued.gating_plugin)) + ": " + queued.gating_message;
    }
  }

  // The newest one in the ring, or else the one that the queue keeps.
  void FillDecision(const queue::QueuedPod* queued) {
    out_.decision = engine_.decisions().ring().LastOf(pod_->uid());
    const auto kept = queued == nullptr ? nullptr : queued->last_decision;
    if (out_.decision == nullptr) out_.decision = kept;
    if (kept != nullptr) out_.decision_with_nodes = kept->id;
    if (out_.decision != nullptr && out_.decision->nodes != nullptr) out_.decision_with_nodes = out_.decision->id;
  }

  void Evaluate(std::string_view node) {
    cycle::CycleResult result;
    if (!engine_.Preview(*pod_, result)) return;
    out_.n_nodes = engine_.cache().n_nodes();
    out_.n_fitting = result.outcome == cycle::Outcome::kChosen ? result.feasible_nodes : 0;
    if (result.outcome == cycle::Outcome::kError) out_.failure = result.message;
    if (result.table == nullptr) return;
    out_.groups = DetailedGroups(engine_, *pod_, *result.table);
    if (!node.empty()) out_.on_node = AnswerFor(*result.table, out_.groups, node);
  }

  engine::Engine& engine_;
  const api::InternTables& intern_;
  const api::PodRef pod_;
  Explanation out_;
};

}  // namespace

std::shared_ptr<const decisions::Decision> FindDecision(engine::Engine& engine, uint64_t id) {
  std::shared_ptr<const decisions::Decision> found = engine.decisions().ring().Find(id);
  if (found != nullptr && found->nodes != nullptr) return found;
  for (const queue::QueuedPod* queued : engine.queue().Pending().pods) {
    if (queued->last_decision != nullptr && queued->last_decision->id == id) return queued->last_decision;
  }
  return found;
}

std::string_view StateName(State state) {
  switch (state) {
    case State::kPending: return "Pending";
    case State::kGated: return "Gated";
    case State::kBinding: return "Binding";
    case State::kScheduled: return "Scheduled";
    case State::kForeign: break;
  }
  return "Foreign";
}

Explanation ExplainAttempt(engine::Engine& engine, const api::InternTables& intern, const api::Pod& pod,
                           std::shared_ptr<const decisions::Decision> decision) {
  const bool scheduled = decision->result == decisions::Result::kScheduled;
  Explanation out{.pod = std::string(pod.key()),
                  .profile = std::string(intern.ids.Text(pod.abi.scheduler_name)),
                  .state = scheduled ? State::kScheduled : State::kPending,
                  .node = decision->node,
                  .n_nodes = engine.cache().n_nodes()};
  if (decision->nodes != nullptr) out.groups = DetailedGroups(engine, pod, *decision->nodes);
  out.decision = std::move(decision);
  out.summary = AttemptSummary(out);
  return out;
}

std::optional<Explanation> ExplainPod(engine::Engine& engine, const api::InternTables& intern, int64_t now_unix_ns,
                                      std::string_view key, std::string_view node) {
  api::PodRef pod = engine.PodByKey(key);
  if (!pod) return std::nullopt;
  return Explainer(engine, intern, std::move(pod)).Run(now_unix_ns, node);
}

}  // namespace berth::explain
