#include "api/encode/relations.h"

#include "api/encode/parts.h"

namespace berth::encode {
namespace {

using json::Value;

constexpr const char* kRequiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

Value NodeTerm(const IdText& text_of, const berth_node_term& term) {
  Value out = Value::MakeObject();
  SetFilled(out, "matchExpressions", Requirements<berth_node_requirement>(text_of, term.expressions));
  SetFilled(out, "matchFields", Requirements<berth_node_requirement>(text_of, term.fields));
  return out;
}

Value NodeAffinity(const IdText& text_of, const berth_node_affinity& affinity) {
  Value out = Value::MakeObject();
  if ((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0) {
    Value terms = Mapped<berth_node_term>(affinity.required,
                                          [&](const berth_node_term& term) { return NodeTerm(text_of, term); });
    out.Set(kRequiredTerms, Value::MakeObject({{"nodeSelectorTerms", std::move(terms)}}));
  }
  if ((affinity.has & BERTH_NODE_AFFINITY_PREFERRED) != 0) {
    out.Set(kPreferredTerms, Mapped<berth_preferred_term>(affinity.preferred, [&](const berth_preferred_term& one) {
              return Value::MakeObject({{"weight", one.weight}, {"preference", NodeTerm(text_of, one.term)}});
            }));
  }
  return out;
}

void SetSelector(const IdText& text_of, const berth_selector& selector, std::string_view key, Value& object) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0) return;
  Value out = Value::MakeObject();
  SetFilled(out, "matchLabels", Pairs(text_of, selector.labels));
  SetFilled(out, "matchExpressions", Requirements<berth_label_requirement>(text_of, selector.expressions));
  object.Set(key, std::move(out));
}

Value PodTerm(const IdText& text_of, const berth_pod_term& term) {
  Value out = Value::MakeObject({{"topologyKey", text_of(term.topology_key)}});
  SetSelector(text_of, *term.selector, "labelSelector", out);
  SetSelector(text_of, *term.namespace_selector, "namespaceSelector", out);
  SetFilled(out, "namespaces", Texts(text_of, term.namespaces));
  return out;
}

Value PodTerms(const IdText& text_of, const berth_list& required, const berth_list& preferred) {
  Value out = Value::MakeObject();
  SetFilled(out, kRequiredTerms,
            Mapped<berth_pod_term>(required, [&](const berth_pod_term& term) { return PodTerm(text_of, term); }));
  SetFilled(out, kPreferredTerms, Mapped<berth_pod_term>(preferred, [&](const berth_pod_term& term) {
              return Value::MakeObject({{"weight", term.weight}, {"podAffinityTerm", PodTerm(text_of, term)}});
            }));
  return out;
}

Value Spread(const IdText& text_of, const berth_spread_constraint& one) {
  Value out = Value::MakeObject({{"maxSkew", one.max_skew},
                                 {"minDomains", one.min_domains},
                                 {"topologyKey", text_of(one.topology_key)},
                                 {"whenUnsatisfiable", text_of(one.when_unsatisfiable)}});
  SetText(out, "nodeAffinityPolicy", text_of(one.node_affinity_policy));
  SetText(out, "nodeTaintsPolicy", text_of(one.node_taints_policy));
  SetSelector(text_of, *one.selector, "labelSelector", out);
  SetFilled(out, "matchLabelKeys", Texts(text_of, one.match_label_keys));
  return out;
}

}  // namespace

void SetPlacement(const IdText& text_of, const berth_pod& pod, Value& spec) {
  const berth_node_affinity& nodes = *pod.node_affinity;
  if ((nodes.has & BERTH_NODE_AFFINITY_SELECTOR) != 0) spec.Set("nodeSelector", Pairs(text_of, nodes.selector));
  Value affinity = Value::MakeObject();
  SetFilled(affinity, "nodeAffinity", NodeAffinity(text_of, nodes));
  const berth_pod_affinity& pods = *pod.pod_affinity;
  if ((pods.has & BERTH_POD_AFFINITY_SET) != 0) {
    affinity.Set("podAffinity", PodTerms(text_of, pods.required, pods.preferred));
  }
  if ((pods.has & BERTH_POD_ANTI_AFFINITY_SET) != 0) {
    affinity.Set("podAntiAffinity", PodTerms(text_of, pods.anti_required, pods.anti_preferred));
  }
  SetFilled(spec, "affinity", std::move(affinity));
  SetFilled(spec, "topologySpreadConstraints",
            Mapped<berth_spread_constraint>(pod.spread->items,
                                            [&](const berth_spread_constraint& one) { return Spread(text_of, one); }));
}

}  // namespace berth::encode
