// Two simulations of the same manifests, each with its own configuration.
#include <map>
#include <sstream>

#include "cmd/berthctl/policy_diff/diff_sources.h"
#include "scheduler/what_if/impact.h"
#include "scheduler/what_if/object_facts.h"

namespace berth::ctl {
namespace {

constexpr const char* kSimulated =
    "Two simulations from the same start: a pod that moves can move others. A draw among nodes with the same total can "
    "move a pod, too.";

// Where the pods of one simulation are at its end.
class Placements final : public results::AttemptSink {
 public:
  void Add(const results::AttemptEntry& entry) override { nodes_[entry.pod]; }
  void ReadEnd(simulation::Simulation& simulation, const simulation::Cluster& cluster,
               const api::InternTables& intern) {
    cache::Cache& cache = simulation.engine().cache();
    for (uint32_t row : cache.order()) facts_.nodes[cache.node(row)->name] = what_if::FactsOf(*cache.node(row), intern);
    for (auto it = nodes_.begin(); it != nodes_.end();) {
      const api::PodRef pod = cluster.FindPod(it->first);
      if (!pod) {  // it was deleted
        it = nodes_.erase(it);
        continue;
      }
      if (pod->abi.node_name != base::kNoId) it->second = intern.ids.Text(pod->abi.node_name);
      facts_.pods[it->first] = what_if::FactsOf(*pod, intern);
      ++it;
    }
  }

  // "": no node.
  const std::map<std::string, std::string>& nodes() const { return nodes_; }
  what_if::Figures Figures() const {
    std::vector<what_if::Placement> placed;
    for (const auto& [pod, node] : nodes_) {
      if (!node.empty()) placed.push_back({pod, node});
    }
    return what_if::FiguresOf(placed, facts_);
  }
  size_t n_nodes() const { return facts_.nodes.size(); }

 private:
  std::map<std::string, std::string> nodes_;  // by pod
  what_if::Facts facts_;
};

base::Result<Placements> Simulate(const simulation::RunOptions& options, std::ostream& err) {
  Placements out;
  const int code = simulation::RunSimulation(
      options, out,
      [&out](simulation::Simulation& simulation, const simulation::Cluster& cluster, const api::InternTables& intern) {
        out.ReadEnd(simulation, cluster, intern);
      },
      err);
  if (code != 0) return base::Fail("the simulation with " + options.config + " failed");
  return out;
}

std::string NodeOf(const Placements& placements, const std::string& pod) {
  const auto found = placements.nodes().find(pod);
  return found == placements.nodes().end() ? "" : found->second;
}

}  // namespace

base::Result<DiffResult> DiffOfSimulations(const simulation::RunOptions& before, const simulation::RunOptions& after,
                                           std::ostream& err) {
  const auto then = Simulate(before, err);
  if (!then) return tl::unexpected(then.error());
  const auto now = Simulate(after, err);
  if (!now) return tl::unexpected(now.error());
  what_if::Impact impact{.before = then->Figures(), .after = now->Figures(), .known_nodes = now->n_nodes()};
  std::map<std::string, std::string> pods = then->nodes();
  pods.insert(now->nodes().begin(), now->nodes().end());
  for (const auto& [pod, node] : pods) {
    ++impact.looked_at;
    what_if::Move move{.pod = pod, .from = NodeOf(*then, pod), .to = NodeOf(*now, pod)};
    if (move.from == move.to) {
      ++impact.unchanged;
    } else {
      impact.moves.push_back(std::move(move));
    }
  }
  json::Value out =
      json::Value::MakeObject({{"apiVersion", "berth.dev/v1alpha1"}, {"kind", "PolicyDiff"}, {"note", kSimulated}});
  json::Value value = ImpactJson(impact);
  for (auto& [key, member] : value.mutable_object()) out.Set(key, std::move(member));
  return DiffResult{{std::move(out)}, {}};
}

}  // namespace berth::ctl
