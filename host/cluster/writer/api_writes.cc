#include "cluster/writer/api_writes.h"

namespace berth::writer {
namespace {

std::string_view Text(berth_str s) { return {s.ptr, s.len}; }

events::ObjectReference ReferenceTo(const api::InternTables& intern, const api::Pod& pod) {
  return {std::string(intern.ids.Text(pod.abi.ns)), std::string(pod.name()), std::string(pod.uid()),
          std::string(pod.resource_version())};
}

// A process that is no longer the leader still reports its past actions.
requests::RequestQueueOptions OfEvents(requests::RequestQueueOptions options) {
  options.may_write = {};
  return options;
}

// Whether at least half of the allowed requests are in flight, and bindings wait for their turn.
bool HasBacklog(const requests::QueueLengths& lengths) {
  return lengths.binding > 0 && lengths.in_flight >= requests::kMostInFlight / 2;
}

}  // namespace

ApiWrites::ApiWrites(const api::InternTables& intern, http::Transport& transport, const base::Clock& clock,
                     const requests::RequestQueueOptions& options, std::string hostname)
    : intern_(intern),
      transport_(transport),
      clock_(clock),
      requests_(transport, clock, options),
      event_requests_(transport, clock, OfEvents(options)),
      annotations_(event_requests_, options.may_write),
      events_(event_requests_, clock, std::move(hostname), [this] { return HasBacklog(requests_.Lengths()); }) {}

void ApiWrites::Bind(const berth_pod& pod, std::string_view node, berth_op* op) {
  const std::string uid(Text(pod.uid));
  auto binding = binder_.Open(intern_.ids.Text(pod.ns), Text(pod.name), uid, node, op);
  statuses_.BeforeBinding(uid, [this, binding = std::move(binding)] { binder_.Send(binding); });
}

void ApiWrites::PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) {
  statuses_.Patch(pod, std::move(patch));
}

void ApiWrites::PodDeleted(std::string_view uid) {
  statuses_.PodDeleted(std::string(uid));
  binder_.PodDeleted(uid);
}

void ApiWrites::Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
                      std::string note) {
  Event(
      plugin::PodEvent{pod, nullptr, intern_.ids.Text(pod.abi.scheduler_name), type, reason, action, std::move(note)});
}

void ApiWrites::Event(plugin::PodEvent event) {
  events::EventRecord record;
  record.regarding = ReferenceTo(intern_, event.regarding);
  if (event.related != nullptr) record.related = ReferenceTo(intern_, *event.related);
  record.scheduler_name = event.profile;
  record.type = event.type;
  record.reason = event.reason;
  record.action = event.action;
  record.note = std::move(event.note);
  Event(std::move(record));
}

void ApiWrites::Event(events::EventRecord record) {
  record.unix_ns = clock_.WallUnixNs();
  events_.Record(std::move(record));
}

bool ApiWrites::AwaitAnswers(int64_t ns) {
  const int64_t end = clock_.MonoNs() + ns;
  // Once more, because a binding that ends may have called RequestQueue::NoteUnknown.
  return requests_.Flush(ns) && binder_.AwaitOutcomes(end - clock_.MonoNs()) && requests_.AwaitAnswers(0);
}

void ApiWrites::Shutdown(int64_t ns) {
  events_.Stop();
  event_requests_.Flush(ns);
  requests_.Close();
  event_requests_.Close();
  transport_.Close();
  requests_.Stop();
  event_requests_.Stop();
}

}  // namespace berth::writer
