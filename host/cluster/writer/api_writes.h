// Sends the writes of the engine and the plugins to an API server: bindings, statuses, and requests in one queue,
// Events and annotations in another, so that many of them do not delay a binding. Thread: any. Ownership: transport
// and clock must outlive it; intern is the process's.
#pragma once

#include <string>
#include <utility>

#include "client/requests/request_queue.h"
#include "cluster/events/event_recorder.h"
#include "cluster/writer/annotation_patcher.h"
#include "cluster/writer/binder.h"
#include "cluster/writer/plugin_requests.h"
#include "cluster/writer/status_patcher.h"
#include "scheduler/engine/writes.h"

namespace berth::writer {

class ApiWrites final : public engine::Writes, public plugin::ApiPort {
 public:
  ApiWrites(const api::InternTables& intern, http::Transport& transport, const base::Clock& clock,
            const requests::RequestQueueOptions& options, std::string hostname);

  bool MayWrite() const override { return requests_.MayWrite(); }
  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override;
  void PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) override;
  void PodDeleted(std::string_view uid) override;
  void Annotate(const api::PodRef& pod, engine::MakeAnnotations make) override {
    annotations_.Patch(pod, std::move(make));
  }
  void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
             std::string note) override;

  // plugin::ApiPort
  void Send(plugin::ApiRequest request, Done done) override {
    plugin_requests_.Send(std::move(request), std::move(done));
  }
  void Event(plugin::PodEvent event) override;

  // Writes an Event about the scheduler itself. Sets unix_ns.
  void Event(events::EventRecord record);

  // Sends only Events from now on. Requests that are not sent yet fail.
  void CloseRequests() {
    requests_.Close();
    annotations_.Close();
  }
  // Waits until no request but Events is queued or in flight, and until the outcome of each binding is known, at most
  // ns. True: that state was reached, and no request but Events can still change an object. Any thread.
  bool AwaitAnswers(int64_t ns);
  // Sends the pending Events for at most ns, then closes the transport.
  void Shutdown(int64_t ns);
  uint64_t dropped_events() const { return events_.dropped(); }
  Binder::Counts bindings() const { return binder_.counts(); }
  // Requests that are not answered. Any thread.
  requests::QueueLengths request_lengths() const { return requests_.Lengths(); }
  requests::QueueLengths event_lengths() const { return event_requests_.Lengths(); }

 private:
  const api::InternTables& intern_;
  http::Transport& transport_;
  const base::Clock& clock_;
  requests::RequestQueue requests_, event_requests_;
  Binder binder_{requests_};
  StatusPatcher statuses_{requests_, clock_};
  PluginRequests plugin_requests_{requests_};
  AnnotationPatcher annotations_;
  events::EventRecorder events_;
};

}  // namespace berth::writer
