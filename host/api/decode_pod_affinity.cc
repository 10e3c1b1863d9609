// The relations of a pod to other pods: spec.affinity without node affinity, and spec.topologySpreadConstraints.
#include "api/decode_parts.h"
#include "api/decode_pod.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

bool DecodeTermField(JsonReader& reader, std::string_view key, Value field, SelectorPool& pool, PodTermDraft& term) {
  if (key == "topologyKey") return reader.Text(field, term.topology_key);
  if (key == "labelSelector") return DecodeSelector(reader, field, pool, term.selector);
  if (key == "namespaceSelector") return DecodeSelector(reader, field, pool, term.namespace_selector);
  if (key == "namespaces") return DecodeTexts(reader, field, pool.texts, term.namespaces);
  return true;
}

bool DecodeRequired(JsonReader& reader, Value value, SelectorPool& pool, std::vector<PodTermDraft>& terms) {
  terms.clear();
  return reader.Objects(
      value, [&] { terms.emplace_back(); },
      [&](std::string_view key, Value field) { return DecodeTermField(reader, key, field, pool, terms.back()); });
}

bool DecodePreferred(JsonReader& reader, Value value, SelectorPool& pool, std::vector<PodTermDraft>& terms) {
  terms.clear();
  return reader.Objects(
      value, [&] { terms.emplace_back(); },
      [&](std::string_view key, Value field) {
        PodTermDraft& term = terms.back();
        if (key == "weight") return reader.Int32(field, term.weight);
        if (key != "podAffinityTerm") return true;
        return reader.Object(
            field, [&](std::string_view name, Value part) { return DecodeTermField(reader, name, part, pool, term); });
      });
}

bool DecodeMinDomains(JsonReader& reader, Value value, SpreadDraft& out) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  out.has_min_domains = true;
  return reader.Int32(value, out.min_domains);
}

}  // namespace

bool DecodePodAffinity(JsonReader& reader, Value value, bool anti, PodDraft& draft) {
  PodAffinityDraft& out = draft.pod_affinity;
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  out.has |= anti ? BERTH_POD_ANTI_AFFINITY_SET : BERTH_POD_AFFINITY_SET;
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "requiredDuringSchedulingIgnoredDuringExecution") {
      return DecodeRequired(reader, field, draft.selectors, anti ? out.anti_required : out.required);
    }
    if (key == "preferredDuringSchedulingIgnoredDuringExecution") {
      return DecodePreferred(reader, field, draft.selectors, anti ? out.anti_preferred : out.preferred);
    }
    return true;
  });
}

bool DecodeSpread(JsonReader& reader, Value value, PodDraft& draft) {
  draft.spread.clear();
  return reader.Objects(
      value, [&] { draft.spread.emplace_back(); },
      [&](std::string_view key, Value field) {
        SpreadDraft& one = draft.spread.back();
        if (key == "maxSkew") return reader.Int32(field, one.max_skew);
        if (key == "minDomains") return DecodeMinDomains(reader, field, one);
        if (key == "topologyKey") return reader.Text(field, one.topology_key);
        if (key == "whenUnsatisfiable") return reader.Text(field, one.when_unsatisfiable);
        if (key == "nodeAffinityPolicy") return reader.Text(field, one.node_affinity_policy);
        if (key == "nodeTaintsPolicy") return reader.Text(field, one.node_taints_policy);
        if (key == "labelSelector") return DecodeSelector(reader, field, draft.selectors, one.selector);
        if (key == "matchLabelKeys") return DecodeTexts(reader, field, draft.selectors.texts, one.match_label_keys);
        return true;
      });
}

}  // namespace berth::api
