#include "api/decode_parts.h"
#include "api/make_object.h"

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
  return MakeNode(intern, draft, keep != KeepManifest::kNo ? ManifestOf(json) : Manifest());
}

}  // namespace berth::api
