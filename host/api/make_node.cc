#include <utility>

#include "api/content.h"
#include "api/make_object.h"

namespace berth::api {
namespace {

const std::string_view* Find(const std::vector<TextPair>& pairs, std::string_view key) {
  for (const TextPair& pair : pairs) {
    if (pair.key == key) return &pair.value;
  }
  return nullptr;
}

// Source: k8s.io/component-helpers/node/topology GetZoneKey. A beta label takes precedence even if it is empty.
std::string ZoneOf(const std::vector<TextPair>& labels) {
  const auto either = [&](std::string_view beta, std::string_view stable) {
    const std::string_view* value = Find(labels, beta);
    if (value == nullptr) value = Find(labels, stable);
    return value == nullptr ? std::string_view() : *value;
  };
  const auto zone = either("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  const auto region = either("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
  if (zone.empty() && region.empty()) return {};
  std::string key(region);
  key.append(std::string_view(":\0:", 3)).append(zone);
  return key;
}

base::TextDigest DigestOf(const std::vector<TextPair>& pairs) {
  std::string text;
  for (const TextPair& pair : pairs) {
    AppendCounted(text, pair.key);
    AppendCounted(text, pair.value);
  }
  return base::SeededDigest(text);
}

void SetCompared(Node& node, NodeDraft& draft) {
  SortUnique(draft.conditions);
  const std::string_view* ready = Find(draft.conditions, "Ready");
  node.ready = ready == nullptr || (*ready != "False" && *ready != "Unknown");
  node.conditions = DigestOf(draft.conditions);
  node.annotations = DigestOf(draft.metadata.annotations);
  std::string taint_times;
  for (const TaintDraft& taint : draft.taints) AppendCounted(taint_times, taint.time_added);
  node.taint_times = base::SeededDigest(taint_times);
}

}  // namespace

NodeRef MakeNode(InternTables& intern, NodeDraft& draft, Manifest manifest) {
  Ref<Node> node(new Node(intern));
  node->SetName(draft.metadata.name);
  node->uid = draft.metadata.uid;
  node->resource_version = draft.metadata.resource_version;
  node->abi.unschedulable = draft.unschedulable;
  node->labels = MakeLabels(intern, draft.metadata.labels);
  node->taints = MakeTaints(intern, draft.taints);
  node->allocatable.reserve(draft.allocatable.size());
  for (const NamedQuantity& amount : draft.allocatable) {
    const berth_amount& whole =
        node->allocatable.emplace_back(ToAmount(intern, intern.ids.Intern(amount.name), amount.value));
    if (whole.flags & (BERTH_AMOUNT_ROUNDED | BERTH_AMOUNT_SATURATED)) node->inexact.push_back(amount.value);
  }
  node->declared_features.reserve(draft.declared_features.size());
  for (std::string_view feature : draft.declared_features) {
    node->declared_features.push_back(intern.ids.Intern(feature));
  }
  node->images.reserve(draft.images.size());
  for (const ImageDraft& image : draft.images) {
    NodeImage& stored = node->images.emplace_back();
    stored.bytes = image.bytes;
    stored.names.reserve(image.names.size());
    for (uint32_t i = image.names.begin; i < image.names.end; ++i) {
      stored.names.push_back(intern.ids.Intern(draft.image_names[i]));
    }
  }
  node->zone = ZoneOf(draft.metadata.labels);
  SetCompared(*node, draft);
  node->manifest = std::move(manifest);
  node->Seal();
  return node;
}

}  // namespace berth::api
