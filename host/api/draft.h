// Drafts: the fields of a pod or node that a decoder has read, before any text is interned. Every text is a view into
// the document. Lists of lists are ranges of shared pools, so reusing a draft allocates nothing. Thread: one owner; the
// decoders keep one draft per thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/draft_range.h"
#include "api/draft_relations.h"
#include "base/quantity.h"
#include "berth/berth.h"

namespace berth::api {

struct NamedQuantity {
  std::string_view name;
  base::Quantity value;
};

struct TermDraft {
  Range expressions, fields;  // of NodeAffinityDraft::requirements
};
struct PreferredDraft {
  int32_t weight = 0;
  TermDraft term;
};
struct NodeAffinityDraft {
  uint64_t has = 0;  // BERTH_NODE_AFFINITY_*
  std::vector<TextPair> selector;
  std::vector<TermDraft> required;
  std::vector<PreferredDraft> preferred;
  std::vector<RequirementDraft> requirements;
  std::vector<std::string_view> values;
  void Clear();
};

struct PortDraft {
  std::string_view ip, protocol;
  int32_t port = 0;
};
struct ContainerDraft {
  std::string_view name, image;
  bool always = false;        // restartPolicy Always
  bool restarts_all = false;  // a restartPolicyRules entry with action RestartAllContainers
  Range requests, limits;     // of PodDraft::quantities
  Range ports;                // of PodDraft::ports
};
struct ContainerStatusDraft {
  std::string_view name;
  bool has_resources = false;
  Range actual, allocated;
};
struct TolerationDraft {
  std::string_view key, op, value, effect;
  bool has_seconds = false;
  int64_t seconds = 0;
};
struct ConditionDraft {
  std::string_view type, status, reason, message;
  int64_t transition_unix_ns = BERTH_NO_TIME;
};

struct MetadataDraft {
  std::string_view name, ns, uid, resource_version;
  int64_t generation = 0;
  int64_t creation_unix_ns = BERTH_NO_TIME, deletion_unix_ns = BERTH_NO_TIME;
  std::vector<TextPair> labels, annotations;
  ControllerDraft controller;
  void Clear();
};

struct PodDraft {
  MetadataDraft metadata;

  std::string_view node_name, scheduler_name, preemption_policy, priority_class;
  bool host_network = false, no_host_users = false;
  bool has_priority = false;
  int32_t priority = 0;
  std::vector<ContainerDraft> init_containers, containers;
  std::vector<std::string_view> volume_images, gates;
  std::vector<PortDraft> ports;
  std::vector<NamedQuantity> quantities;
  bool has_pod_level = false;
  Range pod_requests, pod_limits, overhead;
  std::vector<TolerationDraft> tolerations;
  NodeAffinityDraft affinity;
  PodAffinityDraft pod_affinity;
  std::vector<SpreadDraft> spread;
  SelectorPool selectors;  // of pod_affinity and spread
  std::vector<VolumeDraft> volumes;
  std::vector<std::string_view> monitors;
  std::vector<ClaimDraft> resource_claims;

  std::string_view nominated_node, phase;
  ConditionDraft scheduled;
  int64_t start_unix_ns = BERTH_NO_TIME;
  bool preempted = false;
  bool has_resize_pending = false, resize_infeasible = false;
  std::vector<ContainerStatusDraft> statuses, init_statuses;
  bool has_pod_status = false;
  Range pod_actual, pod_allocated;
  std::string claims, extended_claim;  // canonical

  void Clear();
};

// Notes what plugins read of a condition. Of several conditions of a type, the first counts. disrupted: whether there
// was a DisruptionTarget before, and from now on.
void TakeCondition(const ConditionDraft& condition, bool& disrupted, PodDraft& draft);

struct TaintDraft {
  std::string_view key, value, effect, time_added;
};
struct ImageDraft {
  Range names;  // of NodeDraft::image_names
  int64_t bytes = 0;
};
struct NodeDraft {
  MetadataDraft metadata;
  bool unschedulable = false;
  std::vector<TaintDraft> taints;
  std::vector<NamedQuantity> allocatable;
  std::vector<ImageDraft> images;
  std::vector<std::string_view> image_names;
  std::vector<TextPair> conditions;  // type, status
  std::vector<std::string_view> declared_features;
  void Clear();
};

// Sorts by key. Of several pairs with one key, keeps the last, as a Go map does.
void SortUnique(std::vector<TextPair>& pairs);
// Sorts the quantities from `begin` by name, keeps the last of each name, and returns their range.
Range SortUniqueTail(std::vector<NamedQuantity>& quantities, uint32_t begin);

// Appends the text such that different sequences of texts give different bytes.
void AppendCounted(std::string& out, std::string_view text);

}  // namespace berth::api
