#include "controllers/reconcile/sender.h"

#include <utility>

namespace berth::reconcile {
namespace {

// A process that is no longer the leader still reports its past actions.
requests::RequestQueueOptions ForEvents(requests::RequestQueueOptions options) {
  options.may_write = {};
  return options;
}

}  // namespace

Sender::Sender(http::Transport& api, const base::Clock& clock, const requests::RequestQueueOptions& options,
               std::string hostname)
    : api_(api),
      clock_(clock),
      statuses_(api, clock, options),
      event_requests_(api, clock, ForEvents(options)),
      recorder_(event_requests_, clock, std::move(hostname)) {}

void Sender::Send(http::Request request, requests::RequestQueue::Done done) {
  statuses_.Post(std::move(request), std::move(done));
}

void Sender::Record(events::EventRecord record) {
  record.unix_ns = clock_.WallUnixNs();
  recorder_.Record(std::move(record));
}

void Sender::Shutdown(int64_t ns) {
  recorder_.Stop();
  event_requests_.Flush(ns);
  statuses_.Close();
  event_requests_.Close();
  api_.Close();
  statuses_.Stop();
  event_requests_.Stop();
}

}  // namespace berth::reconcile
