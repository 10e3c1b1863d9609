// The engine's writes and the plugins', to a real API server: bindings, statuses and requests over one queue, Events
// over another, so that a flood of Events delays no binding. Thread: any. Ownership: transports and clock outlive it;
// words is the process's.
#pragma once

#include <string>
#include <utility>

#include "dispatch/binder.h"
#include "dispatch/event_recorder.h"
#include "dispatch/plugin_requests.h"
#include "dispatch/status_patcher.h"
#include "engine/writes.h"
#include "kube/request_queue.h"

namespace berth::dispatch {

class ApiWrites final : public engine::Writes, public plugin::ApiPort {
 public:
  ApiWrites(const api::Vocabulary& words, http::Transport& transport, http::Transport& event_transport,
            const base::Clock& clock, const kube::RequestQueueOptions& options, std::string hostname);

  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override;
  void PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) override;
  void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
             std::string note) override;

  // plugin::ApiPort
  void Send(plugin::ApiRequest request, Done done) override {
    plugin_requests_.Send(std::move(request), std::move(done));
  }
  void Event(plugin::PodEvent event) override;

  // Events about the scheduler itself. unix_ns is set here.
  void Event(EventRecord record);

  // Sends nothing more but Events, and answers what has not been sent.
  void CloseRequests() { requests_.Close(); }
  // Sends what Events there are, for ns at most, then closes both transports.
  void Shutdown(int64_t ns);
  uint64_t dropped_events() const { return events_.dropped(); }

 private:
  const api::Vocabulary& words_;
  http::Transport &transport_, &event_transport_;
  const base::Clock& clock_;
  kube::RequestQueue requests_, event_requests_;
  Binder binder_{requests_};
  StatusPatcher statuses_{requests_, clock_};
  PluginRequests plugin_requests_{requests_};
  EventRecorder events_;
};

}  // namespace berth::dispatch
