#include "dispatch/event_body.h"

#include <cinttypes>
#include <cstdio>

#include "api/time_text.h"
#include "json/value.h"

namespace berth::dispatch {

std::string EventKey(const EventRecord& record, const std::string& reporting_instance) {
  std::string key;
  for (const std::string* part :
       {&record.type, &record.reason, &record.action, &record.scheduler_name, &reporting_instance, &record.ns,
        &record.pod, &record.uid, &record.resource_version}) {
    key.append(*part).push_back('\n');
  }
  return key;
}

std::string EventName(const EventRecord& record) {
  char hex[24];
  std::snprintf(hex, sizeof hex, ".%" PRIx64, static_cast<uint64_t>(record.unix_ns));
  constexpr size_t kMaxName = 253;  // of a DNS subdomain
  return record.pod.substr(0, kMaxName - 17) + hex;
}

std::string EventBody(const EventRecord& record, const std::string& reporting_instance) {
  return EventBody(record, reporting_instance, EventName(record), 1);
}

std::string EventBody(const EventRecord& record, const std::string& reporting_instance, const std::string& name,
                      int count) {
  using json::Value;
  Value regarding = Value::MakeObject({{"kind", "Pod"},
                                       {"namespace", record.ns},
                                       {"name", record.pod},
                                       {"uid", record.uid},
                                       {"apiVersion", "v1"},
                                       {"resourceVersion", record.resource_version}});
  Value event = Value::MakeObject({{"apiVersion", "events.k8s.io/v1"},
                                   {"kind", "Event"},
                                   {"metadata", Value::MakeObject({{"name", name}, {"namespace", record.ns}})},
                                   {"eventTime", api::MicroTimeText(record.unix_ns)},
                                   {"reportingController", record.scheduler_name},
                                   {"reportingInstance", reporting_instance},
                                   {"action", record.action},
                                   {"reason", record.reason},
                                   {"regarding", std::move(regarding)},
                                   {"note", record.note},
                                   {"type", record.type}});
  if (count > 1) {
    event.Set("series",
              Value::MakeObject({{"count", count}, {"lastObservedTime", api::MicroTimeText(record.unix_ns)}}));
  }
  return json::Dump(event);
}

std::string SeriesBody(int count, int64_t last_seen_unix_ns) {
  return R"({"series":{"count":)" + std::to_string(count) + R"(,"lastObservedTime":")" +
         api::MicroTimeText(last_seen_unix_ns) + "\"}}";
}

}  // namespace berth::dispatch
