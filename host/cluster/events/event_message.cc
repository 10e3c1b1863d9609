#include "cluster/events/event_message.h"

#include "api/protobuf/write_event.h"

namespace berth::events {
namespace {

protobuf::ReferenceFields ReferenceFieldsOf(const ObjectReference& object) {
  return {.kind = object.kind,
          .ns = object.ns,
          .name = object.name,
          .uid = object.uid,
          .api_version = object.api_version,
          .resource_version = object.resource_version};
}

std::string CoreEventMessage(const EventRecord& record, const std::string& name) {
  return protobuf::WriteCoreEvent({.name = name,
                                   .ns = record.regarding.ns,
                                   .involved = ReferenceFieldsOf(record.regarding),
                                   .reason = record.reason,
                                   .message = record.note,
                                   .component = record.scheduler_name,
                                   .type = record.type,
                                   .unix_ns = record.unix_ns});
}

}  // namespace

std::string EventMessage(const EventRecord& record, const std::string& reporting_instance, const std::string& name,
                         int count) {
  if (record.api == EventApi::kCore) return CoreEventMessage(record, name);
  protobuf::EventFields event{.name = name,
                              .ns = record.regarding.ns,
                              .unix_ns = record.unix_ns,
                              .reporting_controller = record.scheduler_name,
                              .reporting_instance = reporting_instance,
                              .action = record.action,
                              .reason = record.reason,
                              .note = record.note,
                              .type = record.type,
                              .regarding = ReferenceFieldsOf(record.regarding),
                              .series_count = count > 1 ? count : 0};
  if (record.related) event.related = ReferenceFieldsOf(*record.related);
  return protobuf::WriteEvent(event);
}

}  // namespace berth::events
