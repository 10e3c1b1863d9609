#include "api/protobuf/lease_message.h"

#include <array>

#include "api/protobuf/fields.h"
#include "api/protobuf/message.h"
#include "api/protobuf/message_writer.h"

namespace berth::protobuf {
namespace {

using Spec = fields::LeaseSpec;
constexpr std::array<uint32_t, 7> kSpecFields{Spec::kHolderIdentity, Spec::kLeaseDurationSeconds, Spec::kAcquireTime,
                                              Spec::kRenewTime,      Spec::kLeaseTransitions,     Spec::kStrategy,
                                              Spec::kPreferredHolder};
constexpr std::array<uint32_t, 1> kSpec{fields::Lease::kSpec};

void ReadLeaseMetadata(Message& outer, LeaseReading& lease) {
  Message metadata(outer, "metadata");
  while (metadata.Next()) {
    switch (metadata.field()) {
      case fields::ObjectMeta::kUid: lease.uid = metadata.Text(); break;
      case fields::ObjectMeta::kResourceVersion: lease.resource_version = metadata.Text(); break;
    }
  }
}

void ReadLeaseSpec(Message& outer, LeaseFields& fields) {
  Message spec(outer, "spec");
  while (spec.Next()) {
    switch (spec.field()) {
      case Spec::kHolderIdentity: fields.holder = spec.Text(); break;
      case Spec::kLeaseDurationSeconds: fields.duration_seconds = spec.Int32(); break;
      case Spec::kAcquireTime: fields.acquired_unix_ns = spec.MicroTime("acquireTime"); break;
      case Spec::kRenewTime: fields.renewed_unix_ns = spec.MicroTime("renewTime"); break;
      case Spec::kLeaseTransitions: fields.transitions = spec.Int32(); break;
      case Spec::kStrategy: fields.strategy = spec.Text(); break;
      case Spec::kPreferredHolder: fields.preferred_holder = spec.Text(); break;
    }
  }
}

// All have pointers in Go. An empty holder is that of a released Lease; an absent strategy is left out.
void WriteSpecFields(MessageWriter& spec, const LeaseFields& fields) {
  spec.Text(Spec::kHolderIdentity, fields.holder);
  spec.Int64(Spec::kLeaseDurationSeconds, fields.duration_seconds);
  spec.MicroTime(Spec::kAcquireTime, fields.acquired_unix_ns);
  spec.MicroTime(Spec::kRenewTime, fields.renewed_unix_ns);
  spec.Int64(Spec::kLeaseTransitions, fields.transitions);
  spec.TextUnlessEmpty(Spec::kStrategy, fields.strategy);
  spec.TextUnlessEmpty(Spec::kPreferredHolder, fields.preferred_holder);
}

void CopyUnknownSpecFields(MessageWriter& spec, std::string_view message) {
  Message lease(message);
  while (lease.Next()) {
    if (lease.field() == fields::Lease::kSpec) spec.CopyFields(lease.Bytes(), kSpecFields);
  }
}

template <class Fill>
std::string WriteLeaseEnvelope(size_t size, Fill&& fill) {
  return WriteEnvelope("coordination.k8s.io/v1", "Lease", size, fill);
}

}  // namespace

base::Result<LeaseReading> ReadLease(std::string_view message) {
  LeaseReading reading;
  try {
    Message lease(message);
    while (lease.Next()) {
      if (lease.field() == fields::Lease::kMetadata) ReadLeaseMetadata(lease, reading);
      if (lease.field() == fields::Lease::kSpec) ReadLeaseSpec(lease, reading.spec);
    }
  } catch (const DecodeError& e) {
    return base::Fail(e.what());
  }
  return reading;
}

std::string WriteLease(std::string_view ns, std::string_view name, const LeaseFields& spec) {
  return WriteLeaseEnvelope(ns.size() + name.size() + spec.holder.size(), [&](MessageWriter& object) {
    {
      MessageWriter metadata(object, fields::Lease::kMetadata);
      WriteNames(metadata, ns, name);
    }
    MessageWriter written(object, fields::Lease::kSpec);
    WriteSpecFields(written, spec);
  });
}

std::string ReplaceLeaseSpec(std::string_view message, const LeaseFields& spec) {
  return WriteLeaseEnvelope(message.size() + spec.holder.size(), [&](MessageWriter& object) {
    object.CopyFields(message, kSpec);
    MessageWriter written(object, fields::Lease::kSpec);
    WriteSpecFields(written, spec);
    CopyUnknownSpecFields(written, message);
  });
}

}  // namespace berth::protobuf
