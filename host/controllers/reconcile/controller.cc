#include "controllers/reconcile/controller.h"

#include <utility>

#include "client/requests/api_status.h"
#include "telemetry/log/log.h"

namespace berth::reconcile {

Controller::Controller(std::string name, Reconciler& reconciler, Port& port, size_t workers,
                       metrics::Registry& registry)
    : name_(std::move(name)),
      reconciler_(reconciler),
      port_(port),
      workers_(workers),
      metrics_(registry, name_),
      queue_(metrics::WorkqueueMetrics(registry, name_)) {}

void Controller::SetLeading(bool leading) {
  leading_ = leading;
  if (!leading) return queue_.Clear();
  Begin();
}

void Controller::SetSynced() {
  if (synced_) return;
  synced_ = true;
  Begin();
}

void Controller::Begin() {
  if (!Works()) return;
  log::Info("Starting workers", {{"controller", name_}, {"worker count", workers_}});
  for (const std::string& key : reconciler_.Keys()) Add(key);
}

// A key that arrives before the controller starts is in Keys() when it starts.
void Controller::Add(const std::string& key) {
  if (Works()) queue_.Add(key, port_.Now());
}

void Controller::Work() {
  while (Works() && queue_.taken() < workers_) {
    const auto key = queue_.Take(port_.Now());
    if (!key) return;
    Reconcile(*key);
  }
}

void Controller::Reconcile(const std::string& key) {
  began_[key] = port_.Now();
  Decision decision = reconciler_.Decide(key);
  if (decision.event) port_.Record(std::move(*decision.event));
  if (!decision.write) return End(key, /*ok=*/true);
  log::V(4, "Writing the status", {{"controller", name_}, {"key", key}, {"patch", decision.write->body}});
  port_.Send(*this, key, std::move(*decision.write));
}

void Controller::OnReply(const std::string& key, const http::Reply& reply) {
  if (!reply.ok() && reply.status != 404) return Failed(key, reply);
  if (reply.status == 404) log::V(2, "The object is gone", {{"controller", name_}, {"key", key}});
  if (reply.ok()) {
    if (auto event = reconciler_.OnWritten(reply.body)) port_.Record(std::move(*event));
  }
  End(key, /*ok=*/true);
}

void Controller::Failed(const std::string& key, const http::Reply& reply) {
  if (Works()) {
    log::Error(
        "Reconciler error",
        {{"controller", name_}, {"key", key}, {"err", requests::StatusOf(reply, "patch status of " + key).message}});
    queue_.Retry(key, port_.Now());
  }
  End(key, /*ok=*/false);
}

void Controller::End(const std::string& key, bool ok) {
  const int64_t now = port_.Now();
  if (ok) queue_.Forget(key);
  if (const auto began = began_.find(key); began != began_.end()) {
    metrics_.Ended(ok, now - began->second);
    began_.erase(began);
  }
  queue_.Done(key, now);
}

}  // namespace berth::reconcile
