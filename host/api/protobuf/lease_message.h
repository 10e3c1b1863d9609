// Leases of coordination.k8s.io/v1 in protobuf. Thread: any; pure functions. Source: k8s.io/api/coordination/v1
// generated.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/text/rfc3339.h"

namespace berth::protobuf {

// What leader election reads and writes of a Lease's spec. Texts that are absent are empty.
struct LeaseFields {
  std::string_view holder;
  int32_t duration_seconds = 0;
  int64_t acquired_unix_ns = text::kNoTime, renewed_unix_ns = text::kNoTime;  // kNoTime: absent
  int32_t transitions = 0;
  std::string_view strategy, preferred_holder;
};

// A Lease without its envelope. The texts are views of the message.
struct LeaseReading {
  std::string_view uid, resource_version;
  LeaseFields spec;
};
// The error names what is malformed.
base::Result<LeaseReading> ReadLease(std::string_view message);

// A new Lease, in its envelope.
std::string WriteLease(std::string_view ns, std::string_view name, const LeaseFields& spec);
// The Lease in the message with another spec, in an envelope. All other fields stay, also those that Berth does not
// know. message: ReadLease has accepted it.
std::string ReplaceLeaseSpec(std::string_view message, const LeaseFields& spec);

}  // namespace berth::protobuf
