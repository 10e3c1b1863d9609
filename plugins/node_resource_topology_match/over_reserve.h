// Counts each reserved pod against every zone of its node, because it is unknown which zone the kubelet will take,
// until the node's agent reports a state that includes the pod. Source:
// pkg/noderesourcetopology/cache/{overreserve,store, foreign_pods,attr_watch}.go of kubernetes-sigs/scheduler-plugins.
//
// A node has two topologies: the one in use, from which reserved pods are taken, and the latest report. The latest one
// comes into use when the fingerprint in it equals that of the pods that the API server has on the node. The plugin
// checks this regularly, and only for nodes that need it: those that rejected a pod, and those with pods of other
// schedulers. Thread: [serial].
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../common/owned_id.h"
#include "args.h"
#include "attributes.h"
#include "cache.h"
#include "demand.h"
#include "node_pods.h"
#include "placement.h"
#include "pod_facts.h"
#include "profile_names.h"
#include "reservation.h"

namespace plugins::node_topology {

class OverReserve : public Cache {
 public:
  // reads_placements: whether to read which container runs in which zone, for evictions.
  OverReserve(berth::sdk::Host& host, Board& board, const berth::sdk::Objects& objects, const CacheArgs& args,
              bool reads_placements = false)
      : Cache(board, objects, reads_placements),
        reads_placements_(reads_placements),
        host_(host),
        args_(args),
        pod_reader_(objects),
        pods_(args.informer_mode != "Dedicated") {
    if (args.foreign_pods != "None") profile_.emplace(host.profile());
  }

  void TopologyChanged(const berth::sdk::Object& before, const berth::sdk::Object& now) override {
    const std::string name(now ? now.name() : before.name());
    if (!now) return Forget(name);
    State& state = states_[name];
    state.latest = reader_.Read(now);
    state.expected = ExpectedOf(now, args_.resync_method);
    if (reads_placements_) state.placement = PlacementReport::Of(now);
    const Topology* used = nodes_.Find(name);
    if (used == nullptr) {
      nodes_.Use(name, state.latest);
      SetForeign(name, HasForeign(name));
    } else if (args_.resync_scope.value_or("All") == "All" && !(used->manager == state.latest.manager)) {
      state.changed = true;
      marked_.insert(name);
    }
  }

  // A deleted pod uses nothing any more, and the topology in use does not count it.
  void PodChanged(const berth::sdk::Object& before, const berth::sdk::Object& now) override {
    if (before) pods_.Erase(pod_reader_.Read(before));
    PodFacts pod = pod_reader_.Read(now ? now : before);
    if (IsForeign(pod)) SetForeign(pod.node, true);
    if (now) return pods_.Set(std::move(pod));
    Release({.uid = pod.uid, .node = pod.node});
  }

  void NodeCame(const std::string& name, uint32_t row) override {
    nodes_.Came(name, row);
    if (const auto at = states_.find(name); at != states_.end()) TakeAll(row, at->second);
  }

  bool follows() const override { return true; }
  void Reserve(const Traveler& traveler, const berth::sdk::Pod& pod) override {
    Reserve(traveler.node, traveler.uid, ReservationOf(host_, pod));
  }
  void Release(const Traveler& pod) override {
    const auto at = states_.find(pod.node);
    if (at == states_.end() || at->second.reserved.erase(pod.uid) == 0) return;
    nodes_.Restore(pod.node);
    if (const auto row = nodes_.RowOf(pod.node)) TakeAll(*row, at->second);
  }

  // The host wants tasks to be short.
  bool Resync() override {
    if (to_do_.empty()) CollectWork();
    for (int i = 0; i < kNodesAtOnce && !to_do_.empty(); ++i) {
      const auto at = states_.find(to_do_.back());
      to_do_.pop_back();
      if (at != states_.end() && (at->second.changed || Agrees(at->first, at->second))) Flush(at->first, at->second);
    }
    return !to_do_.empty();
  }

  bool TakeImprovement() override { return std::exchange(improved_, false); }

  // F: the node has foreign pods that no report counts. C: a report counts them, and which pods are foreign. R: it has
  // rejected a pod. P: a pod and what it reserves.
  std::string Save() const override {
    std::string text;
    for (const auto& [name, state] : states_) {
      if (state.foreign) {
        text += "F " + name + "\n";
      } else if (HasForeign(name)) {
        text += "C " + name + " " + args_.foreign_pods + "\n";
      }
      if (const auto row = nodes_.RowOf(name); row && board_.Rejected(*row)) text += "R " + name + "\n";
      for (const auto& [pod, reservation] : state.reserved)
        text += "P " + name + " " + pod + Written(host_, reservation) + "\n";
    }
    return text;
  }
  void Load(std::string_view text) override {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      LoadLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  std::string Dump() const override { return ""; }

 private:
  static constexpr int kNodesAtOnce = 4;

  // The fingerprint in a report of the pods that it counts.
  struct Expected {
    std::string fingerprint;  // "": nothing
    bool only_exclusive = false;
  };
  struct State {
    Topology latest;
    std::optional<PlacementReport> placement;  // of the latest report
    Expected expected;
    bool changed = false;  // the kubelet's configuration differs from that in the topology in use
    bool foreign = false;  // pods came or went that the plugin did not reserve
    std::map<std::string, Reservation> reserved;  // by UID of the pod
  };

  static Expected ExpectedOf(const berth::sdk::Object& object, std::string_view method) {
    constexpr std::string_view kAttribute = "nodeTopologyPodsFingerprint";
    constexpr std::string_view kMethod = "nodeTopologyPodsFingerprintMethod";
    const berth::sdk::Value attributes = object.At("attributes");
    const auto fingerprint = Attribute(attributes, kAttribute);
    if (!fingerprint) {
      const auto annotation = object.At("metadata", "annotations").Get("topology.node.k8s.io/fingerprint");
      return {std::string(annotation.AsString()), false};
    }
    const bool detected =
        method == "Autodetect" && Attribute(attributes, kMethod).value_or("") == "with-exclusive-resources";
    return {std::string(*fingerprint), detected || method == "OnlyExclusiveResources"};
  }

  bool IsForeign(const PodFacts& pod) const {
    if (!profile_ || pod.node.empty() || KnownProfile::Has(pod.scheduler)) return false;
    return args_.foreign_pods != "OnlyExclusiveResources" || HasExclusive(pod, nodes_.Find(pod.node));
  }
  bool HasForeign(const std::string& node) const {
    return pods_.Any(node, [this](const PodFacts& pod) { return IsForeign(pod); });
  }
  // Nothing is stored for a node without a topology.
  void SetForeign(const std::string& name, bool foreign) {
    const auto at = states_.find(name);
    if (at == states_.end()) return;
    at->second.foreign = foreign;
    if (foreign) marked_.insert(name);
    nodes_.SetStale(name, foreign);
  }
  // The previous instance has seen a report that counts the foreign pods, which this instance has just found.
  void SetCounted(const std::string& name) {
    SetForeign(name, false);
    if (!states_.at(name).changed) marked_.erase(name);
  }
  void Forget(const std::string& name) {
    SetForeign(name, false);
    if (const auto row = nodes_.RowOf(name)) board_.SetRejected(*row, false);
    states_.erase(name);
    marked_.erase(name);
    nodes_.Forget(name);
  }

  void Reserve(const std::string& node, const std::string& pod, Reservation reservation) {
    const auto at = states_.find(node);
    if (at == states_.end()) return;
    Release({.uid = pod, .node = node});
    if (const auto row = nodes_.RowOf(node)) Take(*row, reservation);
    at->second.reserved.insert_or_assign(pod, std::move(reservation));
  }
  void Take(uint32_t row, const Reservation& reservation) {
    for (const auto& [name, amount] : reservation) board_.Take(row, name.get(), amount);
  }
  void TakeAll(uint32_t row, const State& state) {
    for (const auto& [pod, reservation] : state.reserved) Take(row, reservation);
  }

  void CollectWork() {
    to_do_.assign(marked_.begin(), marked_.end());
    for (const uint32_t row : board_.RejectedRows()) {
      const std::string& name = nodes_.NameOf(row);
      if (!marked_.contains(name)) to_do_.push_back(name);
    }
  }
  bool Agrees(const std::string& name, const State& state) const {
    const Expected& expected = state.expected;
    return !expected.fingerprint.empty() &&
           expected.fingerprint == pods_.FingerprintOf(name, &state.latest, expected.only_exclusive);
  }
  // Pods that no kubelet has started stay reserved: the report does not count them.
  void Flush(const std::string& name, State& state) {
    if (state.placement) state.latest.placement = state.placement->Decode(pods_.PinnedOn(name, state.latest));
    const Topology* used = nodes_.Find(name);
    const size_t counted =
        std::erase_if(state.reserved, [&](const auto& entry) { return pods_.Started(name, entry.first); });
    improved_ = improved_ || state.foreign || counted > 0 || used == nullptr || !(*used == state.latest);
    state.changed = false;
    nodes_.Use(name, state.latest);
    SetForeign(name, false);
    marked_.erase(name);
    const auto row = nodes_.RowOf(name);
    if (!row) return;
    TakeAll(*row, state);
    board_.SetRejected(*row, false);
  }

  void LoadLine(std::string_view line) {
    const std::string_view kind = TakeWord(line);
    const std::string node(TakeWord(line));
    if (!states_.contains(node)) return;
    const auto row = nodes_.RowOf(node);
    if (kind == "F") SetForeign(node, true);
    if (kind == "C" && TakeWord(line) == args_.foreign_pods) SetCounted(node);
    if (kind == "R" && row) board_.SetRejected(*row, true);
    if (kind != "P") return;
    const std::string pod(TakeWord(line));
    Reserve(node, pod, Parsed(host_, line));
  }

  const bool reads_placements_;
  berth::sdk::Host& host_;
  const CacheArgs args_;
  const PodReader pod_reader_;
  NodePods pods_;
  std::optional<KnownProfile> profile_;
  std::unordered_map<std::string, State> states_;  // of the nodes with a topology
  std::set<std::string> marked_;                   // those that are foreign or changed
  std::vector<std::string> to_do_;                 // the rest of the resync that is under way
  bool improved_ = false;
};

}  // namespace plugins::node_topology
