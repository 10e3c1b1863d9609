#include "api/decode_parts.h"

#include "base/text.h"

namespace berth::api {

using Value = JsonReader::Value;

namespace {

// The first owner reference with controller: true.
bool DecodeController(JsonReader& reader, Value value, ControllerDraft& controller) {
  controller = {};
  return reader.Array(value, [&](Value element) {
    ControllerDraft owner;
    const bool ok = reader.Object(element, [&](std::string_view key, Value field) {
      if (key == "apiVersion") return reader.Text(field, owner.api_version);
      if (key == "kind") return reader.Text(field, owner.kind);
      if (key == "name") return reader.Text(field, owner.name);
      if (key == "uid") return reader.Text(field, owner.uid);
      return key != "controller" || reader.Bool(field, owner.set);
    });
    if (owner.set && !controller.set) controller = owner;
    return ok;
  });
}

}  // namespace

bool DecodePairs(JsonReader& reader, Value value, std::vector<TextPair>& pairs) {
  pairs.clear();
  return reader.Map(value, [&](std::string_view key, Value text) {
    pairs.push_back({key, {}});
    return reader.Text(text, pairs.back().value);
  });
}

bool DecodeTexts(JsonReader& reader, Value value, std::vector<std::string_view>& texts) {
  return reader.Array(value, [&](Value text) { return reader.Text(text, texts.emplace_back()); });
}

bool DecodeQuantities(JsonReader& reader, Value value, std::vector<NamedQuantity>& pool, Range& range) {
  const auto begin = static_cast<uint32_t>(pool.size());
  const bool ok = reader.Map(value, [&](std::string_view name, Value quantity) {
    pool.push_back({name, {}});
    return reader.Quantity(quantity, pool.back().value);
  });
  range = SortUniqueTail(pool, begin);
  return ok;
}

bool DecodeMetadata(JsonReader& reader, Value value, MetadataDraft& draft, bool with_annotations) {
  const bool ok = reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "name") return reader.Text(field, draft.name);
    if (key == "namespace") return reader.Text(field, draft.ns);
    if (key == "uid") return reader.Text(field, draft.uid);
    if (key == "labels") return DecodePairs(reader, field, draft.labels);
    if (key == "resourceVersion") return reader.Text(field, draft.resource_version);
    if (key == "ownerReferences") return DecodeController(reader, field, draft.controller);
    if (key == "generation") return reader.Int64(field, draft.generation);
    if (key == "creationTimestamp") return reader.Time(field, draft.creation_unix_ns);
    if (key == "deletionTimestamp") return reader.Time(field, draft.deletion_unix_ns);
    if (with_annotations && key == "annotations") return DecodePairs(reader, field, draft.annotations);
    return true;
  });
  SortUnique(draft.labels);
  SortUnique(draft.annotations);
  return ok;
}

std::string NameForError(std::string_view kind, std::string_view json) {
  std::string_view name, ns;
  JsonReader& reader = JsonReader::OfThread();
  reader.Read(json, [&](std::string_view key, Value value) {
    if (key != "metadata") return true;
    return reader.Object(value, [&](std::string_view field, Value text) {
      if (field == "name") return reader.Text(text, name);
      if (field == "namespace") return reader.Text(text, ns);
      return true;
    });
  });
  std::string full(ns);
  if (!ns.empty()) full += '/';
  full += name;
  return std::string(kind) + ' ' + base::Quoted(full);
}

}  // namespace berth::api
