#include "api/protobuf/read_parts.h"

#include "api/protobuf/fields.h"

namespace berth::protobuf {

using api::Range;

namespace {

// The first owner reference with controller: true counts.
void ReadOwner(Message& outer, api::ControllerDraft& controller) {
  Message message(outer, "ownerReferences");
  api::ControllerDraft owner;
  while (message.Next()) {
    switch (message.field()) {
      case fields::OwnerReference::kApiVersion: owner.api_version = message.Text(); break;
      case fields::OwnerReference::kKind: owner.kind = message.Text(); break;
      case fields::OwnerReference::kName: owner.name = message.Text(); break;
      case fields::OwnerReference::kUid: owner.uid = message.Text(); break;
      case fields::OwnerReference::kController: owner.set = message.Bool(); break;
    }
  }
  if (owner.set && !controller.set) controller = owner;
}

}  // namespace

void ReadPairs(Message& message, std::vector<api::TextPair>& pairs) {
  message.Each([&] {
    const MapEntry entry = EntryOf(message.Bytes());
    pairs.push_back({entry.key, entry.value});
  });
}

Range ReadSortedPairs(Message& message, std::vector<api::TextPair>& pool) {
  const uint32_t begin = PoolSize(pool);
  ReadPairs(message, pool);
  return api::SortUniqueTail(pool, begin);
}

Range ReadQuantities(Message& message, const char* name, std::vector<api::NamedQuantity>& pool) {
  const uint32_t begin = PoolSize(pool);
  message.Each([&] {
    Message entry(message, name);
    std::string_view key = "";
    base::Quantity value;
    while (entry.Next()) {
      if (entry.field() == kMapKey) entry.set_key(key = entry.Text());
      if (entry.field() == kMapValue) value = entry.Quantity("");
    }
    pool.push_back({key, value});
  });
  return api::SortUniqueTail(pool, begin);
}

Range ReadTexts(Message& message, std::vector<std::string_view>& pool) {
  const uint32_t begin = PoolSize(pool);
  message.Each([&] { pool.push_back(message.Text()); });
  return {begin, PoolSize(pool)};
}

void ReadMetadata(Message& outer, api::MetadataDraft& draft, bool with_annotations) {
  Message message(outer, "metadata");
  while (message.Next()) {
    switch (message.field()) {
      case fields::ObjectMeta::kName: draft.name = message.Text(); break;
      case fields::ObjectMeta::kNamespace: draft.ns = message.Text(); break;
      case fields::ObjectMeta::kUid: draft.uid = message.Text(); break;
      case fields::ObjectMeta::kLabels: ReadPairs(message, draft.labels); break;
      case fields::ObjectMeta::kResourceVersion: draft.resource_version = message.Text(); break;
      case fields::ObjectMeta::kOwnerReferences: ReadOwner(message, draft.controller); break;
      case fields::ObjectMeta::kGeneration: draft.generation = message.Int64(); break;
      case fields::ObjectMeta::kCreationTimestamp: draft.creation_unix_ns = message.Time("creationTimestamp"); break;
      case fields::ObjectMeta::kDeletionTimestamp: draft.deletion_unix_ns = message.Time("deletionTimestamp"); break;
      case fields::ObjectMeta::kAnnotations:
        if (with_annotations) ReadPairs(message, draft.annotations);
        break;
    }
  }
  SortUnique(draft.labels);
  SortUnique(draft.annotations);
}

}  // namespace berth::protobuf
