#include "cluster/events/event_body.h"

#include <cinttypes>
#include <cstdio>
#include <initializer_list>
#include <utility>

#include "cluster/events/event_message.h"
#include "codec/json/value.h"
#include "codec/text/rfc3339.h"

namespace berth::events {
namespace {

json::Value ReferenceBody(const ObjectReference& object) {
  json::Value body = json::Value::MakeObject({{"kind", object.kind},
                                              {"namespace", object.ns},
                                              {"name", object.name},
                                              {"uid", object.uid},
                                              {"apiVersion", object.api_version},
                                              {"resourceVersion", object.resource_version}});
  if (object.uid.empty()) body.Erase("uid");
  if (object.resource_version.empty()) body.Erase("resourceVersion");
  return body;
}

// Source: k8s.io/client-go/tools/record/event.go makeEvent.
std::string CoreEventBody(const EventRecord& record, const std::string& name) {
  using json::Value;
  const std::string time = text::TimeText(record.unix_ns);
  return json::Dump(
      Value::MakeObject({{"apiVersion", "v1"},
                         {"kind", "Event"},
                         {"metadata", Value::MakeObject({{"name", name}, {"namespace", record.regarding.ns}})},
                         {"involvedObject", ReferenceBody(record.regarding)},
                         {"reason", record.reason},
                         {"message", record.note},
                         {"source", Value::MakeObject({{"component", record.scheduler_name}})},
                         {"firstTimestamp", time},
                         {"lastTimestamp", time},
                         {"count", 1},
                         {"type", record.type},
                         {"eventTime", nullptr},
                         {"reportingComponent", record.scheduler_name},
                         {"reportingInstance", ""}}));
}

}  // namespace

EventRecord LeaderElectionEvent(ObjectReference lease, std::string component, std::string message) {
  lease.kind = "Lease";
  lease.api_version = "coordination.k8s.io/v1";
  EventRecord record;
  record.regarding = std::move(lease);
  record.scheduler_name = std::move(component);
  record.type = "Normal";
  record.reason = "LeaderElection";
  record.note = std::move(message);
  record.api = EventApi::kCore;
  return record;
}

std::string EventKey(const EventRecord& record, const std::string& reporting_instance) {
  std::string key;
  const auto add = [&key](std::initializer_list<const std::string*> parts) {
    for (const std::string* part : parts) key.append(*part).push_back('\n');
  };
  add({&record.type, &record.reason, &record.action, &record.scheduler_name, &reporting_instance, &record.occasion});
  for (const ObjectReference* of : {&record.regarding, record.related ? &*record.related : nullptr}) {
    if (of != nullptr) add({&of->kind, &of->ns, &of->name, &of->uid, &of->resource_version});
  }
  return key;
}

std::string EventName(const EventRecord& record) {
  char hex[24];
  std::snprintf(hex, sizeof hex, ".%" PRIx64, static_cast<uint64_t>(record.unix_ns));
  constexpr size_t kMaxName = 253;  // of a DNS subdomain
  return record.regarding.name.substr(0, kMaxName - 17) + hex;
}

std::string EventBody(requests::Encoding encoding, const EventRecord& record, const std::string& reporting_instance,
                      const std::string& name, int count) {
  if (encoding == requests::Encoding::kProtobuf) return EventMessage(record, reporting_instance, name, count);
  using json::Value;
  if (record.api == EventApi::kCore) return CoreEventBody(record, name);
  Value event =
      Value::MakeObject({{"apiVersion", "events.k8s.io/v1"},
                         {"kind", "Event"},
                         {"metadata", Value::MakeObject({{"name", name}, {"namespace", record.regarding.ns}})},
                         {"eventTime", text::MicroTimeText(record.unix_ns)},
                         {"reportingController", record.scheduler_name},
                         {"reportingInstance", reporting_instance},
                         {"action", record.action},
                         {"reason", record.reason},
                         {"regarding", ReferenceBody(record.regarding)},
                         {"note", record.note},
                         {"type", record.type}});
  if (record.related) event.Set("related", ReferenceBody(*record.related));
  if (count > 1) {
    event.Set("series",
              Value::MakeObject({{"count", count}, {"lastObservedTime", text::MicroTimeText(record.unix_ns)}}));
  }
  return json::Dump(event);
}

std::string SeriesBody(int count, int64_t last_seen_unix_ns) {
  return R"({"series":{"count":)" + std::to_string(count) + R"(,"lastObservedTime":")" +
         text::MicroTimeText(last_seen_unix_ns) + "\"}}";
}

}  // namespace berth::events
