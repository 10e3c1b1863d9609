// Drafts of a pod's relations to other objects: pods (affinity, spread), volumes, claims, and its controller. As in
// draft.h, texts are views into the document, and lists of lists are ranges of shared pools. A text with null data()
// was absent in the document, where the difference matters.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/draft_range.h"

namespace berth::api {

// The shared pools of the selectors, terms, and constraints of one pod.
struct SelectorPool {
  std::vector<TextPair> labels;
  std::vector<RequirementDraft> requirements;
  std::vector<std::string_view> texts;  // values, namespaces, label keys
  void Clear();
};
struct SelectorDraft {
  bool set = false;   // not nil
  Range labels;       // of SelectorPool::labels; sorted by key, unique
  Range expressions;  // of SelectorPool::requirements
};

struct PodTermDraft {
  std::string_view topology_key;
  int32_t weight = 0;
  SelectorDraft selector, namespace_selector;
  Range namespaces;
};
struct PodAffinityDraft {
  uint64_t has = 0;  // BERTH_POD_*AFFINITY_SET
  std::vector<PodTermDraft> required, preferred, anti_required, anti_preferred;
  void Clear();
};

struct SpreadDraft {
  int32_t max_skew = 0, min_domains = 1;
  bool has_min_domains = false;
  std::string_view topology_key, when_unsatisfiable;
  std::string_view node_affinity_policy, node_taints_policy;  // may be absent
  SelectorDraft selector;
  Range match_label_keys;
};

struct VolumeDraft {
  uint32_t kind = 0;  // BERTH_VOLUME_*
  bool read_only = false;
  std::string_view handle, name, pool;
  Range monitors;  // of PodDraft::monitors
};

struct ClaimDraft {
  std::string_view name, claim_name, template_name;  // each may be absent
};

struct ControllerDraft {
  bool set = false;
  std::string_view api_version, kind, name, uid;
};

// Sorts the pairs from `begin` by key, keeps the last of each key, and returns their range.
Range SortUniqueTail(std::vector<TextPair>& pairs, uint32_t begin);

}  // namespace berth::api
