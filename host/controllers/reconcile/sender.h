// The requests that the controllers send: statuses in one queue, Events in another. Thread: any. Ownership: transport
// and clock outlive the object.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "client/http/transport.h"
#include "client/requests/request_queue.h"
#include "cluster/events/event_recorder.h"

namespace berth::reconcile {

class Sender {
 public:
  Sender(http::Transport& api, const base::Clock& clock, const requests::RequestQueueOptions& options,
         std::string hostname);

  void Send(http::Request request, requests::RequestQueue::Done done);
  void Record(events::EventRecord record);  // sets unix_ns
  // Waits until no status is queued or in flight, at most ns. True: that state was reached, and no status can still
  // change an object.
  bool AwaitAnswers(int64_t ns) { return statuses_.AwaitAnswers(ns); }
  // Sends only Events from now on.
  void CloseStatuses() { statuses_.Close(); }
  // Sends the pending Events for at most ns, then closes the transport.
  void Shutdown(int64_t ns);

 private:
  http::Transport& api_;
  const base::Clock& clock_;
  requests::RequestQueue statuses_, event_requests_;
  events::EventRecorder recorder_;
};

}  // namespace berth::reconcile
