// The election part of a Lease's spec. Source: k8s.io/client-go/tools/leaderelection/resourcelock LeaderElectionRecord,
// LeaseSpecToLeaderElectionRecord, LeaderElectionRecordToLeaseSpec. Thread: a value.
#pragma once

#include <cstdint>
#include <string>

#include "codec/json/value.h"

namespace berth::election {

struct ElectionRecord {
  std::string holder = {};  // "": nobody holds the Lease
  int64_t lease_duration_seconds = 0;
  std::string acquire_time = {}, renew_time = {};  // metav1.MicroTime, as the Lease has them; "" = none
  int64_t transitions = 0;
  std::string strategy = {}, preferred_holder = {};  // of coordinated leader election

  bool operator==(const ElectionRecord&) const = default;
};

// lease: a Lease; fields that are absent or of another kind count as empty.
ElectionRecord RecordOf(const json::Value& lease);
// Replaces the fields of the record in lease's spec. Labels, annotations, and fields that Berth does not know stay.
void SetRecord(json::Value& lease, const ElectionRecord& record);

}  // namespace berth::election
