// A volume's node affinity as data, where the host's compiled selector cannot be used: it is rewritten for the CSI
// driver that replaced an in-tree driver, or evaluated when the node is no longer available. Source: CheckNodeAffinity
// of k8s.io/component-helpers/storage/volume, nodeaffinity.LazyErrorNodeSelector; translateTopologyFromInTreeToCSI of
// k8s.io/csi-translation-lib/plugins/in_tree_volume.go. Pure logic; thread: any.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plugins::volume_binding {

struct NodeExpression {
  std::string key, op;
  std::vector<std::string> values;
};
// Expressions that must all match. by_name: the term also requires the node's name, which is unknown here, so it
// matches nothing.
struct NodeTerm {
  std::vector<NodeExpression> expressions;
  bool by_name = false;
};
// Alternatives; without any, every node matches.
struct NodeTerms {
  bool everywhere = true;
  std::vector<NodeTerm> terms;
};

// Reads spec.nodeAffinity.required.
inline NodeTerms NodeTermsOf(const berth::sdk::Value& required) {
  NodeTerms out;
  if (required.is_null()) return out;
  out.everywhere = false;
  const berth::sdk::Value terms = required.Get("nodeSelectorTerms");
  for (uint32_t i = 0; i < terms.size(); ++i) {
    NodeTerm& term = out.terms.emplace_back();
    term.by_name = terms[i].Get("matchFields").size() > 0;
    const berth::sdk::Value expressions = terms[i].Get("matchExpressions");
    for (uint32_t j = 0; j < expressions.size(); ++j) {
      NodeExpression& e = term.expressions.emplace_back();
      e.key = expressions[j].Get("key").AsString();
      e.op = expressions[j].Get("operator").AsString();
      const berth::sdk::Value values = expressions[j].Get("values");
      for (uint32_t k = 0; k < values.size(); ++k) e.values.emplace_back(values[k].AsString());
    }
  }
  return out;
}

inline std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// value: the node's value of the expression's key, if any.
inline bool Holds(const NodeExpression& e, std::optional<std::string_view> value) {
  if (e.op == "Exists") return value.has_value();
  if (e.op == "DoesNotExist") return !value;
  const bool listed = value && std::find(e.values.begin(), e.values.end(), *value) != e.values.end();
  if (e.op == "In") return listed;
  if (e.op == "NotIn") return !listed;
  if ((e.op != "Gt" && e.op != "Lt") || !value || e.values.size() != 1) return false;
  const auto has = WholeNumber(*value), bound = WholeNumber(e.values.front());
  return has && bound && (e.op == "Gt" ? *has > *bound : *has < *bound);
}

// label(key) -> std::optional<std::string_view>.
template <class Label>
bool Matches(const NodeTerms& affinity, Label&& label) {
  return affinity.everywhere || std::any_of(affinity.terms.begin(), affinity.terms.end(), [&](const NodeTerm& term) {
           return !term.by_name && !term.expressions.empty() &&
                  std::all_of(term.expressions.begin(), term.expressions.end(),
                              [&](const NodeExpression& e) { return Holds(e, label(e.key)); });
         });
}

// ---- for a CSI driver with another zone label

namespace detail {

inline constexpr std::string_view kZone = "topology.kubernetes.io/zone", kRegion = "topology.kubernetes.io/region",
                                  kBetaZone = "failure-domain.beta.kubernetes.io/zone",
                                  kBetaRegion = "failure-domain.beta.kubernetes.io/region";

inline bool Asks(const NodeTerms& affinity, std::string_view key, bool with_values = false) {
  for (const NodeTerm& term : affinity.terms) {
    for (const NodeExpression& e : term.expressions) {
      if (e.key == key && (!with_values || !e.values.empty())) return true;
    }
  }
  return false;
}
inline void Rename(NodeTerms& affinity, std::string_view key, std::string_view to) {
  for (NodeTerm& term : affinity.terms) {
    for (NodeExpression& e : term.expressions) {
      if (e.key == key) e.key = to;
    }
  }
}
// "a__b" -> {"a", "b"}, sorted.
inline std::vector<std::string> ZonesIn(std::string_view label) {
  std::vector<std::string> zones;
  for (size_t at = 0; at <= label.size();) {
    const size_t end = std::min(label.find("__", at), label.size());
    std::string_view zone = label.substr(at, end - at);
    while (!zone.empty() && zone.front() == ' ') zone.remove_prefix(1);
    while (!zone.empty() && zone.back() == ' ') zone.remove_suffix(1);
    if (!zone.empty()) zones.emplace_back(zone);
    at = end + 2;
  }
  return zones;
}

}  // namespace detail

// labels: the volume's, a map of a document. zone: the driver's label.
inline void TranslateTopology(NodeTerms& affinity, const berth::sdk::Value& labels, std::string_view zone) {
  using namespace detail;  // NOLINT: its own names
  const bool beta = !Asks(affinity, kZone) &&
                    (Asks(affinity, kBetaZone) || (labels.Get(kZone).is_null() && !labels.Get(kBetaZone).is_null()));
  const std::string_view old_zone = beta ? kBetaZone : kZone;
  if (Asks(affinity, old_zone, true)) {
    Rename(affinity, old_zone, zone);
  } else if (auto zones = ZonesIn(labels.Get(old_zone).AsString()); !zones.empty()) {
    if (affinity.terms.empty()) affinity.terms.emplace_back();
    affinity.everywhere = false;
    for (NodeTerm& term : affinity.terms) term.expressions.push_back({std::string(zone), "In", zones});
  }
  if (beta && Asks(affinity, kBetaRegion, true)) Rename(affinity, kBetaRegion, kRegion);
}

}  // namespace plugins::volume_binding
