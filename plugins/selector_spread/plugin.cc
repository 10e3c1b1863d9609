// SelectorSpread: prefers nodes and zones with fewer pods of the same Services and owner. Kubernetes had it until 1.24;
// PodTopologySpread's system defaults replaced it. Profiles that name it continue to work here. Source:
// pkg/scheduler/framework/plugins/selectorspread/selector_spread.go of Kubernetes 1.22.
#include <berth/plugin.hpp>

#include <berth/domains.hpp>
#include <berth/pod_sets.hpp>

#include <algorithm>
#include <vector>

#include "../common/default_selector.h"
#include "zones.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class SelectorSpread {
 public:
  static constexpr Info kInfo{.name = "SelectorSpread", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_DOMAINS, BERTH_SERVICE_MATCHING, BERTH_SERVICE_POD_SETS,
                                                BERTH_SERVICE_OBJECTS};

  explicit SelectorSpread(Host& host)
      : domains_(host),
        pod_sets_(host),
        default_selectors_(host),
        beta_zone_(host.Intern("failure-domain.beta.kubernetes.io/zone")),
        zone_(host.Intern("topology.kubernetes.io/zone")),
        beta_region_(host.Intern("failure-domain.beta.kubernetes.io/region")),
        region_(host.Intern("topology.kubernetes.io/region")) {}

  void Activate() { default_selectors_.Activate(); }

  // PodTopologySpread handles pods that have constraints.
  Status PreScore(Cycle& cycle, const Pod& pod, Rows) {
    if (pod->spread->items.n != 0) return Status::Skip();
    const Snapshot& snap = cycle.snap();
    cycle.Set<State>(PodsLike(snap, pod),
                     selector_spread::ZoneLabels{domains_.Of(snap, beta_zone_), domains_.Of(snap, zone_),
                                                 domains_.Of(snap, beta_region_), domains_.Of(snap, region_)});
    return Status::Ok();
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const PodCounts& pods = cycle.Get<State>().pods;
    if (pods.empty()) {
      out[0] = 0;
      return Status::Uniform();
    }
    const int32_t* const pods_of_row = pods.of_row().data();
    rows.ForEachLive([=](uint32_t i, uint32_t row) { out[i] = pods_of_row[row]; });
    return Status::Ok();
  }

  // Converts counts to scores: one third by node and two thirds by zone, if the node has a zone.
  Status Normalize(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> io) {
    int64_t most = 0;
    rows.ForEachLive([&](uint32_t i, uint32_t) { most = std::max(most, io[i]); });
    FindZones(cycle.Get<State>().zones, rows, io);
    rows.ForEachLive([&](uint32_t i, uint32_t) {
      double score = Share(most - io[i], most);
      if (zone_of_[i] != 0) score = score * (1.0 - kZoneWeight) + kZoneWeight * zone_scores_[zone_of_[i]];
      io[i] = static_cast<int64_t>(score);
    });
    return Status::Ok();
  }

 private:
  static constexpr double kZoneWeight = 2.0 / 3.0;

  struct State {
    State(PodCounts counts, selector_spread::ZoneLabels labels) : pods(counts), zones(labels) {}
    PodCounts pods;  // like the pod, by row
    selector_spread::ZoneLabels zones;
  };

  static double Share(int64_t part, int64_t most) {
    return most > 0 ? 100.0 * (static_cast<double>(part) / static_cast<double>(most)) : 100.0;
  }

  PodCounts PodsLike(const Snapshot& snap, const Pod& pod) {
    const DefaultSelector& like = default_selectors_.Of(*pod.raw());
    if (like.empty()) return {};
    PodMatch match;
    match.In(pod->ns).Selector(like.selector).Labels(std::span<const berth_kv>(like.pairs));
    return pod_sets_.Counts(snap, PodSet(match, BERTH_POD_SET_NOT_DELETED));
  }

  // Fills zone_of_, by position in rows, and zone_scores_.
  void FindZones(const selector_spread::ZoneLabels& labels, const Rows& rows, std::span<const int64_t> counts) {
    selector_spread::ZoneNumbers numbers;
    zone_of_.assign(rows.size(), 0);
    zone_counts_.assign(1, 0);
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const uint32_t zone = zone_of_[i] = numbers.Of(labels.Of(row));
      if (zone == 0) return;
      if (zone == zone_counts_.size()) zone_counts_.push_back(0);
      zone_counts_[zone] += counts[i];
    });
    const int64_t most = *std::max_element(zone_counts_.begin(), zone_counts_.end());
    zone_scores_.resize(zone_counts_.size());
    std::transform(zone_counts_.begin(), zone_counts_.end(), zone_scores_.begin(),
                   [most](int64_t count) { return Share(most - count, most); });
  }

  DomainColumns domains_;
  PodSets pod_sets_;
  DefaultSelectors default_selectors_;
  const Id beta_zone_, zone_, beta_region_, region_;
  // Of the Normalize now running.
  std::vector<uint32_t> zone_of_;  // by position in rows; 0: none
  std::vector<int64_t> zone_counts_;
  std::vector<double> zone_scores_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::SelectorSpread);
