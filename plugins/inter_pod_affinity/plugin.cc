// InterPodAffinity: filters and scores nodes by the pods in their topology domains. It rejects nodes that violate
// required affinity or anti-affinity of the pod or of running pods, and scores the preferred terms of both. Source:
// pkg/scheduler/framework/plugins/interpodaffinity/{plugin,filtering,scoring}.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "../common/lease.h"
#include "args.h"
#include "filter_data.h"
#include "hints.h"
#include "knowledge.h"
#include "own_terms.h"
#include "score_counts.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names
using namespace inter_pod;   // NOLINT: and its own

class InterPodAffinity {
 public:
  static constexpr Info kInfo{.name = "InterPodAffinity", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_DOMAINS, BERTH_SERVICE_MATCHING, BERTH_SERVICE_OBJECTS,
                                                BERTH_SERVICE_POD_SETS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;
  static constexpr Interest kInterests[] = {
      {"Pod", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_DELETE},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { InterPodAffinityArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { InterPodAffinityArgs::Read(in); }

  explicit InterPodAffinity(Host& host)
      : args_(ReadArgs<InterPodAffinityArgs>(host)), known_(host, args_.hard_pod_affinity_weight) {}

  void Activate() { known_.namespaces.Activate(); }

  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      if (delta.kind == BERTH_DELTA_POD_ADD) {
        known_.existing.Add(delta.row, *delta.pod,
                            [this](const berth_pod_affinity& affinity) { return known_.Errors(affinity).bad; });
      } else if (delta.kind == BERTH_DELTA_POD_REMOVE) {
        known_.existing.Remove(delta.row, *delta.pod);
      }
    }
  }
  std::string Dump() { return known_.existing.Dump(); }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    const berth_pod_affinity& affinity = *pod->pod_affinity;
    if (const TermErrors& errors = known_.Errors(affinity); errors.bad != 0) {
      return Status::Unresolvable("parsing pod: " + errors.text);
    }
    if (known_.existing.empty() && !HasTerms(affinity)) return Status::Skip();
    FilterPool::Lease lease = filters_.Take();
    if (!lease.edit().Fill(known_, cycle, *pod.raw())) return Status::Skip();
    cycle.Set<CycleData>().filter.emplace(lease);
    return Status::Ok();
  }

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const CycleData* data = cycle.Find<CycleData>();
    if (data == nullptr || !data->filter) return NoFilterData();
    const FilterCounts& counts = (*data->filter)->counts();
    if (!data->changes.empty()) return FilterChanged(cycle, counts, data->changes, rows, out);
    if (counts.seen() == 1u << kFits) return Status::Ok();
    const Verdicts verdicts = VerdictsFor(cycle, counts.seen());
    if (const auto closed = counts.OnlyClosed()) return RefuseClosed(*closed, verdicts[closed->code], rows, out);
    EachRowChunk(rows, kChunk, [&](const RowChunk& chunk) {
      std::array<uint8_t, kChunk> codes;
      counts.Codes(chunk, codes.data());
      for (size_t i = 0; i < chunk.size(); ++i) out[chunk.begin() + i] = verdicts[codes[i]];
    });
    return Status::Ok();
  }

  Status AddPod(Cycle& cycle, const Pod& pod, const Pod& added, Node node) {
    return Change(cycle, pod, added, node, +1);
  }
  Status RemovePod(Cycle& cycle, const Pod& pod, const Pod& removed, Node node) {
    return Change(cycle, pod, removed, node, -1);
  }

  Status PreScore(Cycle& cycle, const Pod& pod, Rows) {
    const berth_pod_affinity& affinity = *pod->pod_affinity;
    const bool own = (affinity.preferred.n | affinity.anti_preferred.n) != 0;
    if (args_.ignore_preferred_terms_of_existing_pods && !own) return Status::Skip();
    if (const TermErrors& errors = known_.Errors(affinity); errors.bad != 0) {
      return Status::Error("failed to parse pod: " + errors.text);
    }
    if (known_.existing.empty() && !own) return Status::Skip();
    ScorePool::Lease lease = scores_.Take();
    if (!FillScores(cycle, *pod.raw(), lease.edit())) return Status::Skip();
    CycleData* data = cycle.Find<CycleData>();
    if (data == nullptr) data = &cycle.Set<CycleData>();
    data->score.emplace(lease);
    return Status::Ok();
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const CycleData* data = cycle.Find<CycleData>();
    if (data == nullptr || !data->score) {
      return Status::Error("failed to read \"PreScoreInterPodAffinity\" from cycleState: not found");
    }
    const ScoreCounts& counts = **data->score;
    EachRowChunk(rows, kChunk, [&](const RowChunk& chunk) { counts.Scores(chunk, out.data() + chunk.begin()); });
    return Status::Ok();
  }

  Status Normalize(Cycle&, const Pod&, Rows rows, std::span<int64_t> io) {
    if (!rows.dense()) {
      ScaleBetween(io.data(), io.size());
      return Status::Ok();
    }
    Bounds bounds;
    rows.ForEachLive([&](uint32_t i, uint32_t) { bounds.Add(io[i]); });
    rows.ForEachLive([&](uint32_t i, uint32_t) { io[i] = Scaled(bounds, io[i]); });
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() != 0) {
      return !Readable(pod.raw()) || !event.new_node() ||
             NodeEventHelps(event.old_node(), event.new_node(), *pod.raw());
    }
    const PodEvent change{event.old_pod().raw(), event.new_pod().raw()};
    if (change.IsOf(*pod.raw())) return true;
    if (change.IsOfUnscheduled()) return false;
    return !Readable(pod.raw()) || PodEventHelps(change, *pod.raw(), Readable(change.before, 1u << kAntiRequired),
                                                 known_.words, known_.Match());
  }

 private:
  using FilterPool = Pool<FilterData>;
  using ScorePool = Pool<ScoreCounts>;
  // A clone shares the results of PreFilter and PreScore, and has its own changes.
  struct CycleData {
    std::optional<FilterPool::Lease> filter;
    std::optional<ScorePool::Lease> score;
    Changes changes;
  };
  using Verdicts = std::array<berth_verdict, kCodes>;

  // True for null. kinds: one bit per TermKind.
  bool Readable(const berth_pod* pod, uint32_t kinds = 1u << kRequired | 1u << kAntiRequired) {
    return pod == nullptr || (known_.Errors(*pod->pod_affinity).bad & kinds) == 0;
  }

  // [parallel]
  Status Change(Cycle& cycle, const Pod& pod, const Pod& changed, const Node& node, int64_t by) {
    CycleData* data = cycle.Find<CycleData>();
    if (data == nullptr || !data->filter) return NoFilterData();
    (*data->filter)->Change(known_, *pod.raw(), *changed.raw(), node.view().labels(), by, data->changes);
    return Status::Ok();
  }

  // Returns false if no scored term matches any pod on a node with the term's key.
  bool FillScores(Cycle& cycle, const berth_pod& pod, ScoreCounts& counts) {
    counts.Clear();
    const auto topology = known_.TopologyIn(cycle);
    if (!known_.existing.empty()) {
      for (const uint32_t number : known_.ExistingTermsAbout(pod, Effect::kScores)) {
        const ExistingTerm& term = known_.existing.term(number);
        counts.Add(term.topology_key, std::span(term.rows), term.weight, topology);
      }
    }
    preferred_.Clear(pod.ns);
    preferred_.Add(pod.pod_affinity->preferred, +1, known_.namespaces, known_.words, known_.Match());
    preferred_.Add(pod.pod_affinity->anti_preferred, -1, known_.namespaces, known_.words, known_.Match());
    for (size_t i = 0; i < preferred_.size(); ++i) {
      const PodCounts pods = known_.pod_sets.Counts(cycle.snap(), preferred_.Set(i));
      counts.Add(preferred_[i].topology_key, pods.of_row(), preferred_[i].weight, topology);
    }
    counts.Finish();
    return !counts.nothing();
  }

  static Status NoFilterData() {
    return Status::Error("error reading \"PreFilterInterPodAffinity\" from cycleState: not found");
  }
  // The verdicts of the codes whose bits are set.
  static Verdicts VerdictsFor(Cycle& cycle, uint32_t seen) {
    Verdicts verdicts{};
    if ((seen >> kAffinity & 1) != 0) {
      verdicts[kAffinity] = Verdict::Unresolvable(cycle.Reasons("node(s) didn't match pod affinity rules"));
    }
    if ((seen >> kAntiAffinity & 1) != 0) {
      verdicts[kAntiAffinity] = Verdict::Unschedulable(cycle.Reasons("node(s) didn't match pod anti-affinity rules"));
    }
    if ((seen >> kExistingAntiAffinity & 1) != 0) {
      verdicts[kExistingAntiAffinity] =
          Verdict::Unschedulable(cycle.Reasons("node(s) didn't satisfy existing pods anti-affinity rules"));
    }
    return verdicts;
  }
  static Status RefuseClosed(const FilterCounts::Closed& closed, const berth_verdict& verdict, const Rows& rows,
                             std::span<berth_verdict> out) {
    static_assert(sizeof(berth_verdict) == sizeof(uint64_t) && BERTH_SUCCESS == 0);
    EachRowChunk(rows, kChunk, [&](const RowChunk& chunk) {
      std::array<uint32_t, kChunk> room;
      std::array<uint64_t, kChunk> bits;
      RefuseRows(chunk.Cells(closed.of_row, room.data()), chunk.size(), closed.cells, std::bit_cast<uint64_t>(verdict),
                 bits.data());
      std::memcpy(out.data() + chunk.begin(), bits.data(), chunk.size() * sizeof(uint64_t));
    });
    return Status::Ok();
  }
  static Status FilterChanged(Cycle& cycle, const FilterCounts& counts, const Changes& changes, const Rows& rows,
                              std::span<berth_verdict> out) {
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const Code code = counts.WithChanges(changes, row, cycle.snap().View(row).labels());
      if (code != kFits) out[i] = VerdictsFor(cycle, 1u << code)[code];
    });
    return Status::Ok();
  }

  const InterPodAffinityArgs args_;
  Knowledge known_;
  FilterPool filters_;
  ScorePool scores_;
  OwnTerms preferred_;  // of the pod in PreScore
};

}  // namespace plugins

BERTH_PLUGIN(plugins::InterPodAffinity);
