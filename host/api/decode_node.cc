#include "api/content.h"
#include "api/decode_parts.h"
#include "api/node.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

bool DecodeTaints(JsonReader& reader, Value value, std::vector<TaintDraft>& taints) {
  taints.clear();
  return reader.Objects(
      value, [&] { taints.emplace_back(); },
      [&](std::string_view key, Value field) {
        TaintDraft& taint = taints.back();
        if (key == "key") return reader.Text(field, taint.key);
        if (key == "value") return reader.Text(field, taint.value);
        if (key == "effect") return reader.Text(field, taint.effect);
        if (key == "timeAdded") return reader.Text(field, taint.time_added);
        return true;
      });
}

bool DecodeImages(JsonReader& reader, Value value, NodeDraft& draft) {
  draft.images.clear();
  return reader.Objects(
      value, [&] { draft.images.emplace_back(); },
      [&](std::string_view key, Value field) {
        ImageDraft& image = draft.images.back();
        if (key == "sizeBytes") return reader.Int64(field, image.bytes);
        if (key != "names") return true;
        image.names.begin = static_cast<uint32_t>(draft.image_names.size());
        const bool ok = DecodeTexts(reader, field, draft.image_names);
        image.names.end = static_cast<uint32_t>(draft.image_names.size());
        return ok;
      });
}

bool DecodeConditions(JsonReader& reader, Value value, std::vector<TextPair>& conditions) {
  conditions.clear();
  return reader.Objects(
      value, [&] { conditions.emplace_back(); },
      [&](std::string_view key, Value field) {
        if (key == "type") return reader.Text(field, conditions.back().key);
        if (key == "status") return reader.Text(field, conditions.back().value);
        return true;
      });
}

bool DecodeSpec(JsonReader& reader, Value value, NodeDraft& draft) {
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "unschedulable") return reader.Bool(field, draft.unschedulable);
    if (key == "taints") return DecodeTaints(reader, field, draft.taints);
    return true;
  });
}

bool DecodeStatus(JsonReader& reader, Value value, NodeDraft& draft) {
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "images") return DecodeImages(reader, field, draft);
    if (key == "conditions") return DecodeConditions(reader, field, draft.conditions);
    if (key == "declaredFeatures") {
      draft.declared_features.clear();
      return DecodeTexts(reader, field, draft.declared_features);
    }
    if (key != "allocatable") return true;
    draft.allocatable.clear();
    Range range;
    return DecodeQuantities(reader, field, draft.allocatable, range);
  });
}

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

std::string Canonical(const std::vector<TextPair>& pairs) {
  std::string text;
  for (const TextPair& pair : pairs) {
    AppendCounted(text, pair.key);
    AppendCounted(text, pair.value);
  }
  text.shrink_to_fit();
  return text;
}

void SetCompared(Node& node, NodeDraft& draft) {
  SortUnique(draft.conditions);
  const std::string_view* ready = Find(draft.conditions, "Ready");
  node.ready = ready == nullptr || (*ready != "False" && *ready != "Unknown");
  node.conditions = Canonical(draft.conditions);
  node.annotations = Canonical(draft.metadata.annotations);
  for (const TaintDraft& taint : draft.taints) AppendCounted(node.taint_times, taint.time_added);
}

NodeRef Finish(InternTables& intern, NodeDraft& draft) {
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
  node->Seal();
  return node;
}

}  // namespace

base::Result<NodeRef> DecodeNode(InternTables& intern, std::string_view json, KeepManifest keep) {
  thread_local NodeDraft draft;
  draft.Clear();
  JsonReader& reader = JsonReader::OfThread();
  const bool ok = reader.Read(json, [&](std::string_view key, Value value) {
    if (key == "metadata") return DecodeMetadata(reader, value, draft.metadata, true);
    if (key == "spec") return DecodeSpec(reader, value, draft);
    if (key == "status") return DecodeStatus(reader, value, draft);
    return true;
  });
  if (!ok) {
    const std::string error = reader.error();
    return base::Fail(NameForError("node", json) + ": " + error);
  }
  NodeRef node = Finish(intern, draft);
  if (keep != KeepManifest::kNo) node->manifest = ManifestOf(json);
  return node;
}

}  // namespace berth::api
