#include "api/encode/relations.h"

#include "api/encode/parts.h"

namespace berth::encode {
namespace {

using json::Value;

constexpr const char* kRequiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

Value NodeTerm(const api::InternTables& intern, const berth_node_term& term) {
  Value out = Value::MakeObject();
  SetFilled(out, "matchExpressions", Requirements<berth_node_requirement>(intern, term.expressions));
  SetFilled(out, "matchFields", Requirements<berth_node_requirement>(intern, term.fields));
  return out;
}

Value NodeAffinity(const api::InternTables& intern, const berth_node_affinity& affinity) {
  Value out = Value::MakeObject();
  if ((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0) {
    Value terms =
        Mapped<berth_node_term>(affinity.required, [&](const berth_node_term& term) { return NodeTerm(intern, term); });
    out.Set(kRequiredTerms, Value::MakeObject({{"nodeSelectorTerms", std::move(terms)}}));
  }
  if ((affinity.has & BERTH_NODE_AFFINITY_PREFERRED) != 0) {
    out.Set(kPreferredTerms, Mapped<berth_preferred_term>(affinity.preferred, [&](const berth_preferred_term& one) {
              return Value::MakeObject({{"weight", one.weight}, {"preference", NodeTerm(intern, one.term)}});
            }));
  }
  return out;
}

void SetSelector(const api::InternTables& intern, const berth_selector& selector, std::string_view key, Value& object) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0) return;
  Value out = Value::MakeObject();
  SetFilled(out, "matchLabels", Pairs(intern, selector.labels));
  SetFilled(out, "matchExpressions", Requirements<berth_label_requirement>(intern, selector.expressions));
  object.Set(key, std::move(out));
}

Value PodTerm(const api::InternTables& intern, const berth_pod_term& term) {
  Value out = Value::MakeObject({{"topologyKey", intern.ids.Text(term.topology_key)}});
  SetSelector(intern, *term.selector, "labelSelector", out);
  SetSelector(intern, *term.namespace_selector, "namespaceSelector", out);
  SetFilled(out, "namespaces", Texts(intern, term.namespaces));
  return out;
}

Value PodTerms(const api::InternTables& intern, const berth_list& required, const berth_list& preferred) {
  Value out = Value::MakeObject();
  SetFilled(out, kRequiredTerms,
            Mapped<berth_pod_term>(required, [&](const berth_pod_term& term) { return PodTerm(intern, term); }));
  SetFilled(out, kPreferredTerms, Mapped<berth_pod_term>(preferred, [&](const berth_pod_term& term) {
              return Value::MakeObject({{"weight", term.weight}, {"podAffinityTerm", PodTerm(intern, term)}});
            }));
  return out;
}

Value Spread(const api::InternTables& intern, const berth_spread_constraint& one) {
  Value out = Value::MakeObject({{"maxSkew", one.max_skew},
                                 {"minDomains", one.min_domains},
                                 {"topologyKey", intern.ids.Text(one.topology_key)},
                                 {"whenUnsatisfiable", intern.ids.Text(one.when_unsatisfiable)}});
  SetText(out, "nodeAffinityPolicy", intern.ids.Text(one.node_affinity_policy));
  SetText(out, "nodeTaintsPolicy", intern.ids.Text(one.node_taints_policy));
  SetSelector(intern, *one.selector, "labelSelector", out);
  SetFilled(out, "matchLabelKeys", Texts(intern, one.match_label_keys));
  return out;
}

}  // namespace

void SetPlacement(const api::InternTables& intern, const berth_pod& pod, Value& spec) {
  const berth_node_affinity& nodes = *pod.node_affinity;
  if ((nodes.has & BERTH_NODE_AFFINITY_SELECTOR) != 0) spec.Set("nodeSelector", Pairs(intern, nodes.selector));
  Value affinity = Value::MakeObject();
  SetFilled(affinity, "nodeAffinity", NodeAffinity(intern, nodes));
  const berth_pod_affinity& pods = *pod.pod_affinity;
  if ((pods.has & BERTH_POD_AFFINITY_SET) != 0) {
    affinity.Set("podAffinity", PodTerms(intern, pods.required, pods.preferred));
  }
  if ((pods.has & BERTH_POD_ANTI_AFFINITY_SET) != 0) {
    affinity.Set("podAntiAffinity", PodTerms(intern, pods.anti_required, pods.anti_preferred));
  }
  SetFilled(spec, "affinity", std::move(affinity));
  SetFilled(spec, "topologySpreadConstraints",
            Mapped<berth_spread_constraint>(pod.spread->items,
                                            [&](const berth_spread_constraint& one) { return Spread(intern, one); }));
}

}  // namespace berth::encode
