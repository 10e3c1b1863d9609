// The body of an Event, in JSON or protobuf. Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/requests/encoding.h"

namespace berth::events {

struct ObjectReference {
  std::string ns, name, uid, resource_version;  // the last two may be unknown: ""
  std::string kind = "Pod", api_version = "v1";
};
enum class EventApi : uint8_t {
  kEvents,  // events.k8s.io/v1
  kCore,    // v1, as kube-scheduler's leader election writes; never part of a series
};
struct EventRecord {
  ObjectReference regarding;
  std::optional<ObjectReference> related;
  std::string scheduler_name;        // the profile's
  std::string type, reason, action;  // "Normal", "Scheduled", "Binding"
  std::string note;
  std::string occasion;  // records with different occasions are different Events, not one series
  int64_t unix_ns = 0;
  EventApi api = EventApi::kEvents;  // kCore: scheduler_name is the source's component; action and related are not sent
};

// The Event of leader election on its Lease. component: the first profile's schedulerName. Source:
// k8s.io/client-go/tools/leaderelection/resourcelock/leaselock.go RecordEvent.
EventRecord LeaderElectionEvent(ObjectReference lease, std::string component, std::string message);

// Records with equal keys are occurrences of one Event. The note is not part of the key.
std::string EventKey(const EventRecord& record, const std::string& reporting_instance);
// POD.HEX, where HEX is the Event's time in nanoseconds.
std::string EventName(const EventRecord& record);
// name: EventName or, as part of a series that began earlier, the series' name. count: of the series.
std::string EventBody(requests::Encoding encoding, const EventRecord& record, const std::string& reporting_instance,
                      const std::string& name, int count);
// A merge patch that makes the Event a series. Patches are JSON.
std::string SeriesBody(int count, int64_t last_seen_unix_ns);

}  // namespace berth::events
