// An Event on the wire. Thread: any; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth::dispatch {

struct ObjectReference {
  std::string ns, name, uid, resource_version;  // the last two may be unknown: ""
  std::string kind = "Pod", api_version = "v1";
};
struct EventRecord {
  ObjectReference regarding;
  std::optional<ObjectReference> related;
  std::string scheduler_name;        // the profile's
  std::string type, reason, action;  // "Normal", "Scheduled", "Binding"
  std::string note;
  std::string occasion;  // what happens on another occasion is another Event, never one of the same series
  int64_t unix_ns = 0;
};

// Two records with one key are occurrences of one Event. The note is no part of it.
std::string EventKey(const EventRecord& record, const std::string& reporting_instance);
// POD.HEX, HEX being the nanoseconds of its time.
std::string EventName(const EventRecord& record);
std::string EventBody(const EventRecord& record, const std::string& reporting_instance);
// The same as part of a series that began earlier, under its name.
std::string EventBody(const EventRecord& record, const std::string& reporting_instance, const std::string& name,
                      int count);
// A merge patch that makes the Event a series.
std::string SeriesBody(int count, int64_t last_seen_unix_ns);

}  // namespace berth::dispatch
