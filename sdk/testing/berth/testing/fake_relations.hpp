// The objects that a FakePod names: selectors, affinity terms, spread constraints, volumes, and the C record of each.
// Plain values.
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

// A requirement, as in a selector: {"zone", "In", {"a", "b"}}.
struct FakeRequirement {
  std::string key, op;
  Texts values = {};
};

// A metav1.LabelSelector; the default is an empty one.
struct FakeSelector {
  std::map<std::string, std::string> labels = {};
  std::vector<FakeRequirement> expressions = {};
  bool nil = false;
  static FakeSelector Nil();
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
  std::string handle = {};  // the volume's name; for EPHEMERAL only
  bool read_only = false;
  std::string pool = {};  // for RBD only
  Texts monitors = {};    // for RBD only
};

std::vector<berth_kv> RawPairs(const std::map<std::string, std::string>& pairs);
std::vector<berth_id> RawIds(const Texts& texts);
berth_id IdOrNone(const std::string& text);

// The bytes of plain records as a text, to compare contents.
template <class T>
std::string BytesOf(const std::vector<T>& records) {
  if (records.empty()) return "#";
  return std::string(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T)) + "#";
}

std::string RequirementText(const FakeRequirement& one);

const berth_selector* RawSelector(Arena& arena, const FakeSelector& selector);

berth_pod_term RawTerm(Arena& arena, const FakePodTerm& term, int32_t weight, std::string& content);

berth_spread_constraint RawSpread(Arena& arena, const FakeSpread& one, std::string& content);

berth_volume RawVolume(Arena& arena, const FakeVolume& one, std::string& content);

}  // namespace berth::sdk::testing
