#include "cluster/election/held_lease.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "api/protobuf/envelope.h"
#include "api/protobuf/lease_message.h"
#include "api/protobuf/message_types.h"
#include "api/protobuf/transcode.h"
#include "codec/text/rfc3339.h"

namespace berth::election {
namespace {

constexpr const char* kVersion = "coordination.k8s.io/v1";
constexpr const char* kKind = "Lease";

std::string TextOf(int64_t unix_ns) {
  return unix_ns == text::kNoTime ? "" : text::MicroTimeText(std::max<int64_t>(0, unix_ns));
}

int64_t TimeOf(const std::string& text) {
  int64_t unix_ns = text::kNoTime;
  text::ParseRfc3339(text, unix_ns);
  return unix_ns;
}

int32_t Narrow(int64_t number) {
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<int32_t>(std::clamp<int64_t>(number, Limits::min(), Limits::max()));
}

ElectionRecord RecordOfFields(const protobuf::LeaseFields& spec) {
  return {.holder = std::string(spec.holder),
          .lease_duration_seconds = spec.duration_seconds,
          .acquire_time = TextOf(spec.acquired_unix_ns),
          .renew_time = TextOf(spec.renewed_unix_ns),
          .transitions = spec.transitions,
          .strategy = std::string(spec.strategy),
          .preferred_holder = std::string(spec.preferred_holder)};
}

protobuf::LeaseFields FieldsOf(const ElectionRecord& record) {
  return {.holder = record.holder,
          .duration_seconds = Narrow(record.lease_duration_seconds),
          .acquired_unix_ns = TimeOf(record.acquire_time),
          .renewed_unix_ns = TimeOf(record.renew_time),
          .transitions = Narrow(record.transitions),
          .strategy = record.strategy,
          .preferred_holder = record.preferred_holder};
}

}  // namespace

base::Result<HeldLease> HeldLease::Of(std::string_view body) {
  if (protobuf::IsEnvelope(body)) return OfEnvelope(body);
  auto object = json::Parse(body);
  if (!object) return tl::unexpected(object.error());
  HeldLease lease;
  lease.record_ = RecordOf(*object);
  lease.uid_ = json::TextAt(*object, "metadata.uid");
  lease.resource_version_ = json::TextAt(*object, "metadata.resourceVersion");
  lease.object_ = std::move(*object);
  return lease;
}

base::Result<HeldLease> HeldLease::OfEnvelope(std::string_view body) {
  const auto envelope = protobuf::OpenEnvelope(body);
  if (!envelope) return tl::unexpected(envelope.error());
  if (envelope->kind != kKind) return base::Fail("its kind is \"" + std::string(envelope->kind) + "\"");
  const auto reading = protobuf::ReadLease(envelope->message);
  if (!reading) return tl::unexpected(reading.error());
  HeldLease lease;
  lease.record_ = RecordOfFields(reading->spec);
  lease.uid_ = reading->uid;
  lease.resource_version_ = reading->resource_version;
  lease.object_ = std::string(envelope->message);
  return lease;
}

std::string HeldLease::New(requests::Encoding encoding, const std::string& ns, const std::string& name,
                           const ElectionRecord& record) {
  if (encoding == requests::Encoding::kProtobuf) return protobuf::WriteLease(ns, name, FieldsOf(record));
  json::Value lease =
      json::Value::MakeObject({{"apiVersion", kVersion},
                               {"kind", kKind},
                               {"metadata", json::Value::MakeObject({{"name", name}, {"namespace", ns}})}});
  SetRecord(lease, record);
  return json::Dump(lease);
}

requests::Encoding HeldLease::encoding() const {
  return std::holds_alternative<std::string>(object_) ? requests::Encoding::kProtobuf : requests::Encoding::kJson;
}

std::string HeldLease::With(requests::Encoding encoding, const ElectionRecord& record) const {
  const auto* message = std::get_if<std::string>(&object_);
  if (message != nullptr && encoding == requests::Encoding::kProtobuf) {
    return protobuf::ReplaceLeaseSpec(*message, FieldsOf(record));
  }
  json::Value lease = AsJson();
  SetRecord(lease, record);
  return json::Dump(lease);
}

// For a server that sends protobuf and does not accept it.
json::Value HeldLease::AsJson() const {
  if (const auto* object = std::get_if<json::Value>(&object_)) return *object;
  const auto text = protobuf::ToJson(*protobuf::FindKind(kVersion, kKind), std::get<std::string>(object_));
  return text ? json::Parse(*text).value_or(json::Value()) : json::Value();
}

}  // namespace berth::election
