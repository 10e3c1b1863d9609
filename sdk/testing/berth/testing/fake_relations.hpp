// What a FakePod says about other objects: selectors, affinity terms, spread constraints, volumes, and how each becomes
// the C record. Plain values.
//   FakePod("web").PodAntiAffinity({"zone", {.labels = {{"app", "web"}}}})
//                 .Spread({.key = "zone", .selector = {.labels = {{"app", "web"}}}})
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "berth/pod.h"
#include "berth/testing/arena.hpp"

namespace berth::sdk::testing {

using Texts = std::vector<std::string>;

// key op values, as in a selector: {"zone", "In", {"a", "b"}}.
struct FakeRequirement {
  std::string key, op;
  Texts values = {};
};

// A metav1.LabelSelector; as it is made, an empty one.
struct FakeSelector {
  std::map<std::string, std::string> labels = {};
  std::vector<FakeRequirement> expressions = {};
  bool nil = false;
  static FakeSelector Nil() { return {{}, {}, true}; }
};

struct FakePodTerm {
  std::string key;  // topologyKey
  FakeSelector selector = {};
  Texts namespaces = {};
  FakeSelector namespace_selector = FakeSelector::Nil();
};

struct FakeSpread {
  std::string key;  // topologyKey
  int32_t max_skew = 1;
  std::string when = "DoNotSchedule";
  FakeSelector selector = {};
  int32_t min_domains = 1;
  std::string node_affinity_policy = {}, node_taints_policy = {};  // "" = unset
  Texts match_label_keys = {};
};

struct FakeVolume {
  uint32_t kind;            // BERTH_VOLUME_*
  std::string handle = {};  // of EPHEMERAL: the volume's name
  bool read_only = false;
  std::string pool = {};  // of RBD
  Texts monitors = {};    // of RBD
};

inline std::vector<berth_kv> RawPairs(const std::map<std::string, std::string>& pairs) {
  std::vector<berth_kv> raw;
  for (const auto& [key, value] : pairs) raw.push_back({IdOf(key), IdOf(value)});
  return raw;
}
inline std::vector<berth_id> RawIds(const Texts& texts) {
  std::vector<berth_id> raw;
  for (const std::string& text : texts) raw.push_back(IdOf(text));
  return raw;
}
inline berth_id IdOrNone(const std::string& text) { return text.empty() ? kNoId : IdOf(text); }

// The bytes of plain records, as a text to compare contents by.
template <class T>
std::string BytesOf(const std::vector<T>& records) {
  if (records.empty()) return "#";
  return std::string(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T)) + "#";
}

inline std::string RequirementText(const FakeRequirement& one) {
  std::string text = one.key + '\x02' + one.op + '\x02';
  for (const std::string& value : one.values) text += value + '\x03';
  return text;
}

inline const berth_selector* RawSelector(Arena& arena, const FakeSelector& selector) {
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

inline berth_pod_term RawTerm(Arena& arena, const FakePodTerm& term, int32_t weight, std::string& content) {
  const auto *pods = RawSelector(arena, term.selector), *namespaces = RawSelector(arena, term.namespace_selector);
  const auto ids = RawIds(term.namespaces);
  content += BytesOf(std::vector<uint32_t>{IdOf(term.key), static_cast<uint32_t>(weight), pods->content,
                                           namespaces->content}) +
             BytesOf(ids);
  return {IdOf(term.key), weight, pods, namespaces, arena.Exact(ids)};
}

inline berth_spread_constraint RawSpread(Arena& arena, const FakeSpread& one, std::string& content) {
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

inline berth_volume RawVolume(Arena& arena, const FakeVolume& one, std::string& content) {
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
