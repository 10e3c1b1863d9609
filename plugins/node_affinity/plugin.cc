// NodeAffinity: rejects nodes that the pod's nodeSelector or required node affinity does not match, and prefers nodes
// that match its preferred terms. Args may add affinity to every pod of the profile. Source:
// pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "row_bits.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct NodeAffinityArgs {
  const berth_node_affinity* added = nullptr;  // lives as long as the instance

  static NodeAffinityArgs Read(ArgsReader& in) { return {in.NodeAffinityAt("addedAffinity")}; }
};

class NodeAffinity {
 public:
  static constexpr Info kInfo{.name = "NodeAffinity", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_NODE_AFFINITY, .row = BERTH_ROW_LABELS, .total = true};
  static constexpr Reuse kScoreReuse = kFilterReuse;
  static constexpr auto kNormalization = Normalization::kDefault;
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL}};

  explicit NodeAffinity(Host& host) : host_(host), name_field_(host.Intern("metadata.name")), in_(host.Intern("In")) {
    const berth_node_affinity* added = ReadArgs<NodeAffinityArgs>(host).added;
    if (added == nullptr) return;
    if ((added->has & BERTH_NODE_AFFINITY_REQUIRED) != 0) added_required_ = added;
    if (added->preferred.n != 0) added_preferred_ = added;
  }

  Status PreFilter(Cycle&, const Pod& pod, NameSet& names) {
    const berth_node_affinity& affinity = pod.node_affinity();
    const bool required = (affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0;
    if (!required && added_required_ == nullptr && (affinity.has & BERTH_NODE_AFFINITY_SELECTOR) == 0) {
      return Status::Skip();
    }
    if (!required || affinity.required.n == 0) return Status::Ok();
    return Narrow(affinity, names);
  }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    Refuse(cycle, pod.node_affinity(), rows, "node(s) didn't match Pod's node affinity/selector", out);
    if (added_required_ != nullptr) {
      Refuse(cycle, *added_required_, rows, "node(s) didn't match scheduler-enforced node affinity", out);
    }
    return Status::Ok();
  }

  Status PreScore(Cycle&, const Pod& pod, Rows) {
    const bool preferred = (pod.node_affinity().has & BERTH_NODE_AFFINITY_PREFERRED) != 0;
    if (Status errors = PreferredErrors(pod); !errors.ok()) return errors;
    return preferred || added_preferred_ != nullptr ? Status::Ok() : Status::Skip();
  }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    if (Status errors = PreferredErrors(pod); !errors.ok()) return errors;
    std::fill(out.begin(), out.end(), 0);
    if (added_preferred_ != nullptr) AddWeights(cycle, *added_preferred_, rows, out);
    AddWeights(cycle, pod.node_affinity(), rows, out);
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    const NodeView after = event.new_node(), before = event.old_node();
    if (!after) return true;
    if (added_required_ != nullptr && !host_.Selectors().MatchNode(after, *added_required_)) return false;
    const Match now = MatchOf(pod, after);
    if (now != Match::kYes) return now == Match::kBroken;
    if (!before) return true;
    return MatchOf(pod, before) != Match::kYes;
  }

 private:
  enum class Match { kYes, kNo, kBroken };

  void Refuse(Cycle& cycle, const berth_node_affinity& affinity, const Rows& rows, StaticReason reason,
              std::span<berth_verdict> out) const {
    RowBits matches = host_.Selectors().MatchRequired(cycle.snap(), affinity, rows);
    // Without the rows that were not requested, nearly every call ends here.
    if (rows.dense()) node_affinity::SetWhereDead(rows.raw()->live, rows.first(), rows.size(), matches.words());
    if (!node_affinity::AnyClear(matches.words(), rows.size())) return;
    const Verdict differs = Verdict::Unresolvable(cycle.Reasons(reason));
    node_affinity::ForEachClear(matches.words(), rows.size(), [&](uint32_t i) { out[i] = differs; });
  }

  // Terms that name nodes restrict the search to those nodes. A term that names none allows every node.
  Status Narrow(const berth_node_affinity& affinity, NameSet& names) const {
    std::vector<Id> all;
    for (const berth_node_term& term : List<berth_node_term>(affinity.required)) {
      const std::optional<std::vector<Id>> named = NamedBy(term);
      if (!named) return Status::Ok();
      all.insert(all.end(), named->begin(), named->end());
    }
    if (all.empty()) return Status::Unresolvable("pod affinity terms conflict");
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    names.Narrow();
    for (const Id name : all) names.Add(name);
    return Status::Ok();
  }

  std::optional<std::vector<Id>> NamedBy(const berth_node_term& term) const {
    std::optional<std::vector<Id>> named;
    for (const berth_node_requirement& field : List<berth_node_requirement>(term.fields)) {
      if (field.key != name_field_ || field.op != in_) continue;
      const List<Id> values(field.values);
      std::vector<Id> both;
      for (const Id value : values) {
        if (!named || std::find(named->begin(), named->end(), value) != named->end()) both.push_back(value);
      }
      named = std::move(both);
    }
    return named;
  }

  Status PreferredErrors(const Pod& pod) const {
    if (pod.node_affinity().preferred.n == 0) return Status::Ok();
    const std::string_view errors = host_.Selectors().PreferredErrors(pod.node_affinity());
    return errors.empty() ? Status::Ok() : Status::Error(std::string(errors));
  }

  void AddWeights(Cycle& cycle, const berth_node_affinity& affinity, const Rows& rows, std::span<int64_t> out) const {
    for (const berth_preferred_term& preferred : List<berth_preferred_term>(affinity.preferred)) {
      if (preferred.weight == 0 || (preferred.term.expressions.n == 0 && preferred.term.fields.n == 0)) continue;
      const RowBits matches = host_.Selectors().MatchTerm(cycle.snap(), preferred.term, rows);
      node_affinity::AddWhereSet(matches.words(), preferred.weight, out.size(), out.data());
    }
  }

  // Broken: a term of the affinity is invalid, and no other matched.
  Match MatchOf(const Pod& pod, const NodeView& node) const {
    if (host_.Selectors().MatchNode(node, pod.node_affinity())) return Match::kYes;
    for (const berth_kv& wanted : List<berth_kv>(pod.node_affinity().selector)) {
      if (node.labels().Get(wanted.key) != wanted.value) return Match::kNo;
    }
    return host_.Selectors().RequiredErrors(pod.node_affinity()).empty() ? Match::kNo : Match::kBroken;
  }

  Host& host_;
  const Id name_field_, in_;
  const berth_node_affinity* added_required_ = nullptr;
  const berth_node_affinity* added_preferred_ = nullptr;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeAffinity);
