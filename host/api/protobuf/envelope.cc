#include "api/protobuf/envelope.h"

#include "api/protobuf/fields.h"
#include "api/protobuf/message.h"

namespace berth::protobuf {
namespace {

// A list of each kind has its metadata and its items in these fields, and an object its metadata in the first.
constexpr uint32_t kMetadata = fields::PodList::kMetadata, kItems = fields::PodList::kItems;

void ReadType(Message& outer, Envelope& envelope) {
  Message type(outer, "typeMeta");
  while (type.Next()) {
    if (type.field() == fields::TypeMeta::kApiVersion) envelope.api_version = type.Text();
    if (type.field() == fields::TypeMeta::kKind) envelope.kind = type.Text();
  }
}

void ReadListMetadata(Message& outer, api::ListMetadata& metadata) {
  Message message(outer, "metadata");
  while (message.Next()) {
    if (message.field() == fields::ListMeta::kResourceVersion) metadata.resource_version = message.Text();
    if (message.field() == fields::ListMeta::kContinue) metadata.next = message.Text();
  }
}

// Calls field(metadata) for each field of the object's metadata. What is malformed ends it; false: in the metadata.
template <class Field>
bool ForEachFieldOfMetadata(std::string_view text, Field&& field) noexcept {
  bool whole = true;
  try {
    Message message(text);
    while (message.Next()) {
      if (message.field() != kMetadata) continue;
      whole = false;
      Message metadata(message, "metadata");
      while (metadata.Next()) field(metadata);
      whole = true;
    }
  } catch (const DecodeError&) {  // what has been read stays
  }
  return whole;
}

void ReadDetails(Message& outer, StatusFields& status) {
  Message details(outer, "details");
  while (details.Next()) {
    if (details.field() == fields::StatusDetails::kRetryAfterSeconds) status.retry_after_seconds = details.Int32();
  }
}

std::string_view RawOf(Message& outer) {
  Message extension(outer, "object");
  std::string_view raw;
  while (extension.Next()) {
    if (extension.field() == fields::RawExtension::kRaw) raw = extension.Bytes();
  }
  return raw;
}

}  // namespace

bool IsEnvelope(std::string_view body) { return body.starts_with(kEnvelopeMagic); }

base::Result<Envelope> OpenEnvelope(std::string_view body) {
  if (!IsEnvelope(body)) return base::Fail("malformed protobuf: the envelope of Kubernetes is missing");
  Envelope envelope{"", "", ""};
  try {
    Message unknown(body.substr(kEnvelopeMagic.size()));
    while (unknown.Next()) {
      if (unknown.field() == fields::Unknown::kTypeMeta) ReadType(unknown, envelope);
      if (unknown.field() == fields::Unknown::kRaw) envelope.message = unknown.Bytes();
    }
  } catch (const DecodeError& e) {
    return base::Fail(e.what());
  }
  return envelope;
}

base::Result<api::ListMetadata> ForEachItem(std::string_view body,
                                            const std::function<base::Result<void>(std::string_view)>& item) {
  const auto envelope = OpenEnvelope(body);
  if (!envelope) return tl::unexpected(envelope.error());
  if (!envelope->kind.ends_with("List")) return base::Fail("the answer is no list");
  api::ListMetadata metadata;
  try {
    Message list(envelope->message);
    while (list.Next()) {
      if (list.field() == kMetadata) ReadListMetadata(list, metadata);
      if (list.field() != kItems) continue;
      if (auto passed = item(list.Bytes()); !passed) return tl::unexpected(passed.error());
    }
  } catch (const DecodeError& e) {
    return base::Fail(e.what());
  }
  return metadata;
}

base::Result<WatchFrame> OpenWatchFrame(std::string_view frame) {
  WatchFrame event{"", ""};
  std::string_view object;
  try {
    Message message(frame);
    while (message.Next()) {
      if (message.field() == fields::WatchEvent::kType) event.type = message.Text();
      if (message.field() == fields::WatchEvent::kObject) object = RawOf(message);
    }
  } catch (const DecodeError& e) {
    return base::Fail(e.what());
  }
  if (event.type.empty()) return base::Fail("malformed protobuf: a watch event without a type");
  const auto envelope = OpenEnvelope(object);
  if (!envelope) return tl::unexpected(envelope.error());
  event.message = envelope->message;
  return event;
}

api::ObjectIdentity IdentityOf(std::string_view message) {
  std::string_view ns, name, version;
  const bool whole = ForEachFieldOfMetadata(message, [&](Message& metadata) {
    switch (metadata.field()) {
      case fields::ObjectMeta::kName: name = metadata.Text(); break;
      case fields::ObjectMeta::kNamespace: ns = metadata.Text(); break;
      case fields::ObjectMeta::kResourceVersion: version = metadata.Text(); break;
    }
  });
  if (!whole) return {};
  api::ObjectIdentity identity{"", std::string(version)};
  if (!ns.empty() && !name.empty()) identity.key.append(ns).append("/");
  identity.key += name;
  return identity;
}

BookmarkFields BookmarkOf(std::string_view message) {
  BookmarkFields bookmark;
  ForEachFieldOfMetadata(message, [&](Message& metadata) {
    if (metadata.field() == fields::ObjectMeta::kResourceVersion) bookmark.resource_version = metadata.Text();
    if (metadata.field() != fields::ObjectMeta::kAnnotations) return;
    const MapEntry entry = EntryOf(metadata.Bytes());
    if (entry.key == "k8s.io/initial-events-end") bookmark.initial_events_end = entry.value == "true";
  });
  return bookmark;
}

StatusFields StatusOf(std::string_view text) {
  StatusFields status;
  try {
    Message message(text);
    while (message.Next()) {
      switch (message.field()) {
        case fields::Status::kMessage: status.message = message.Text(); break;
        case fields::Status::kReason: status.reason = message.Text(); break;
        case fields::Status::kCode: status.code = message.Int32(); break;
        case fields::Status::kDetails: ReadDetails(message, status); break;
      }
    }
  } catch (const DecodeError&) {  // what has been read stays
  }
  return status;
}

}  // namespace berth::protobuf
