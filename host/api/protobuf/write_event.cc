#include "api/protobuf/write_event.h"

#include "api/protobuf/fields.h"
#include "api/protobuf/message_writer.h"
#include "base/clock.h"

namespace berth::protobuf {
namespace {

void WriteReference(MessageWriter& outer, uint32_t field, const ReferenceFields& reference) {
  using Reference = fields::ObjectReference;
  MessageWriter message(outer, field);
  message.TextUnlessEmpty(Reference::kKind, reference.kind);
  message.TextUnlessEmpty(Reference::kNamespace, reference.ns);
  message.TextUnlessEmpty(Reference::kName, reference.name);
  message.TextUnlessEmpty(Reference::kUid, reference.uid);
  message.TextUnlessEmpty(Reference::kApiVersion, reference.api_version);
  message.TextUnlessEmpty(Reference::kResourceVersion, reference.resource_version);
}

void WriteMetadata(MessageWriter& outer, uint32_t field, std::string_view ns, std::string_view name) {
  MessageWriter metadata(outer, field);
  WriteNames(metadata, ns, name);
}

void WriteSeries(MessageWriter& outer, const EventFields& event) {
  MessageWriter series(outer, fields::Event::kSeries);
  series.Int64(fields::EventSeries::kCount, event.series_count);
  series.MicroTime(fields::EventSeries::kLastObservedTime, event.unix_ns);
}

int64_t WholeSeconds(int64_t unix_ns) { return unix_ns - unix_ns % base::kSecond; }

}  // namespace

std::string WriteEvent(const EventFields& event) {
  constexpr size_t kNames = 512;  // of both objects and of the Event
  return WriteEnvelope("events.k8s.io/v1", "Event", kNames + event.note.size(), [&](MessageWriter& object) {
    using Event = fields::Event;
    WriteMetadata(object, Event::kMetadata, event.ns, event.name);
    object.MicroTime(Event::kEventTime, event.unix_ns);
    if (event.series_count > 0) WriteSeries(object, event);
    object.TextUnlessEmpty(Event::kReportingController, event.reporting_controller);
    object.TextUnlessEmpty(Event::kReportingInstance, event.reporting_instance);
    object.TextUnlessEmpty(Event::kAction, event.action);
    object.TextUnlessEmpty(Event::kReason, event.reason);
    WriteReference(object, Event::kRegarding, event.regarding);
    if (event.related) WriteReference(object, Event::kRelated, *event.related);
    object.TextUnlessEmpty(Event::kNote, event.note);
    object.TextUnlessEmpty(Event::kType, event.type);
  });
}

std::string WriteCoreEvent(const CoreEventFields& event) {
  constexpr size_t kNames = 256;
  return WriteEnvelope("v1", "Event", kNames + event.message.size(), [&](MessageWriter& object) {
    using CoreEvent = fields::CoreEvent;
    WriteMetadata(object, CoreEvent::kMetadata, event.ns, event.name);
    WriteReference(object, CoreEvent::kInvolvedObject, event.involved);
    object.TextUnlessEmpty(CoreEvent::kReason, event.reason);
    object.TextUnlessEmpty(CoreEvent::kMessage, event.message);
    {
      MessageWriter source(object, CoreEvent::kSource);
      source.TextUnlessEmpty(fields::EventSource::kComponent, event.component);
    }
    const int64_t time = WholeSeconds(event.unix_ns);
    object.MicroTime(CoreEvent::kFirstTimestamp, time);
    object.MicroTime(CoreEvent::kLastTimestamp, time);
    object.Int64(CoreEvent::kCount, 1);
    object.TextUnlessEmpty(CoreEvent::kType, event.type);
    object.TextUnlessEmpty(CoreEvent::kReportingComponent, event.component);
  });
}

}  // namespace berth::protobuf
