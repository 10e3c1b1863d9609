#include "berth/testing/fake_relations.hpp"

namespace berth::sdk::testing {

FakeSelector FakeSelector::Nil() { return {{}, {}, true}; }

std::vector<berth_kv> RawPairs(const std::map<std::string, std::string>& pairs) {
  std::vector<berth_kv> raw;
  for (const auto& [key, value] : pairs) raw.push_back({IdOf(key), IdOf(value)});
  return raw;
}

std::vector<berth_id> RawIds(const Texts& texts) {
  std::vector<berth_id> raw;
  for (const std::string& text : texts) raw.push_back(IdOf(text));
  return raw;
}

berth_id IdOrNone(const std::string& text) { return text.empty() ? kNoId : IdOf(text); }

std::string RequirementText(const FakeRequirement& one) {
  std::string text = one.key + '\x02' + one.op + '\x02';
  for (const std::string& value : one.values) text += value + '\x03';
  return text;
}

const berth_selector* RawSelector(Arena& arena, const FakeSelector& selector) {
  const auto labels = RawPairs(selector.labels);
  std::string content = (selector.nil ? "nil" : "set") + BytesOf(labels);
  std::vector<berth_label_requirement> expressions;
  for (const FakeRequirement& one : selector.expressions) {
    expressions.push_back({IdOf(one.key), IdOf(one.op), arena.Exact(RawIds(one.values))});
    content += RequirementText(one);
  }
  return arena.Make(berth_selector{sizeof(berth_selector), ContentOf("selector", content),
                                   selector.nil ? 0u : BERTH_SELECTOR_SET, arena.Exact(labels),
                                   arena.Records(expressions)});
}

berth_pod_term RawTerm(Arena& arena, const FakePodTerm& term, int32_t weight, std::string& content) {
  const auto *pods = RawSelector(arena, term.selector), *namespaces = RawSelector(arena, term.namespace_selector);
  const auto ids = RawIds(term.namespaces);
  content += BytesOf(std::vector<uint32_t>{IdOf(term.key), static_cast<uint32_t>(weight), pods->content,
                                           namespaces->content}) +
             BytesOf(ids);
  return {IdOf(term.key), weight, pods, namespaces, arena.Exact(ids)};
}

berth_spread_constraint RawSpread(Arena& arena, const FakeSpread& one, std::string& content) {
  const auto* selector = RawSelector(arena, one.selector);
  const auto keys = RawIds(one.match_label_keys);
  const berth_spread_constraint raw{one.max_skew,
                                    one.min_domains,
                                    IdOf(one.key),
                                    IdOf(one.when),
                                    IdOrNone(one.node_affinity_policy),
                                    IdOrNone(one.node_taints_policy),
                                    selector,
                                    arena.Exact(keys)};
  content += BytesOf(std::vector<uint32_t>{static_cast<uint32_t>(raw.max_skew), static_cast<uint32_t>(raw.min_domains),
                                           raw.topology_key, raw.when_unsatisfiable, raw.node_affinity_policy,
                                           raw.node_taints_policy, selector->content}) +
             BytesOf(keys);
  return raw;
}

berth_volume RawVolume(Arena& arena, const FakeVolume& one, std::string& content) {
  const bool rbd = one.kind == BERTH_VOLUME_RBD, ephemeral = one.kind == BERTH_VOLUME_EPHEMERAL;
  const auto monitors = RawIds(one.monitors);
  const berth_volume raw{one.kind,
                         one.read_only ? BERTH_VOLUME_READ_ONLY : 0u,
                         ephemeral ? kNoId : IdOf(one.handle),
                         ephemeral ? IdOf(one.handle) : kNoId,
                         rbd ? IdOf(one.pool) : kNoId,
                         0,
                         arena.Exact(monitors)};
  content += BytesOf(std::vector<uint32_t>{raw.kind, raw.flags, raw.handle, raw.name, raw.pool}) + BytesOf(monitors);
  return raw;
}

}  // namespace berth::sdk::testing
