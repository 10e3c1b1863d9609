// Events in protobuf, in their envelopes. Thread: any; pure functions. Source: k8s.io/api/events/v1 and core/v1
// generated.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::protobuf {

// A v1.ObjectReference. Texts that are empty are absent.
struct ReferenceFields {
  std::string_view kind, ns, name, uid, api_version, resource_version;
};

// An events.k8s.io/v1 Event.
struct EventFields {
  std::string_view name, ns;
  int64_t unix_ns = 0;  // the Event has its microseconds
  std::string_view reporting_controller, reporting_instance, action, reason, note, type;
  ReferenceFields regarding;
  std::optional<ReferenceFields> related = {};
  int32_t series_count = 0;  // 0: no series; otherwise unix_ns is also its lastObservedTime
};
std::string WriteEvent(const EventFields& event);

// A v1 Event that has occurred once. Its component is also its reportingComponent.
struct CoreEventFields {
  std::string_view name, ns;
  ReferenceFields involved;
  std::string_view reason, message, component, type;
  int64_t unix_ns = 0;  // the Event has its whole seconds
};
std::string WriteCoreEvent(const CoreEventFields& event);

}  // namespace berth::protobuf
