#include <algorithm>

#include "cluster/explain/cluster_facts.h"
#include "codec/json/value.h"
#include "codec/text/rfc3339.h"
#include "scheduler/decisions/decision.h"
#include "scheduler/explain/decision_json.h"

namespace berth::explain {
namespace {

using json::Value;

PendingPod CopyPod(const queue::QueuedPod& queued, const api::InternTables& intern) {
  PendingPod out{.pod = std::string(queued.key()),
                 .profile = std::string(intern.ids.Text(queued.profile())),
                 .where = queued.gated() ? "gated" : std::string(queue::PlaceLabel(queued.place())),
                 .message = queued.gating_message,
                 .attempts = queued.attempts,
                 .added_unix_ns = queued.timestamp};
  queued.ForEachRejector([&](base::Id plugin) { out.rejected_by.emplace_back(intern.ids.Text(plugin)); });
  if (queued.gated()) out.rejected_by = {std::string(intern.ids.Text(queued.gating_plugin))};
  if (!queued.gated()) out.message = queued.pod->scheduled_condition().message;
  if (out.message.empty() && queued.last_decision != nullptr) out.message = queued.last_decision->message;
  return out;
}

Value PodJson(const PendingPod& pod) {
  Value out = Value::MakeObject({{"pod", pod.pod},
                                 {"profile", pod.profile},
                                 {"where", pod.where},
                                 {"attempts", static_cast<int64_t>(pod.attempts)},
                                 {"rejectedBy", TextsJson(pod.rejected_by)},
                                 {"message", pod.message}});
  if (pod.added_unix_ns != INT64_MIN) out.Set("since", text::MicroTimeText(pod.added_unix_ns));
  return out;
}

}  // namespace

QueueCopy CopyQueue(engine::Engine& engine, const api::InternTables& intern, size_t limit) {
  QueueCopy copy{.counts = engine.queue().counts(), .binding = engine.attempts_in_flight(), .pods = {}};
  const queue::PendingPods pending = engine.queue().Pending();
  copy.total = pending.pods.size();
  for (size_t i = 0; i < std::min(limit, pending.pods.size()); ++i) {
    copy.pods.push_back(CopyPod(*pending.pods[i], intern));
  }
  return copy;
}

std::string QueueText(const QueueCopy& copy) {
  Value pods{json::Array()};
  for (const PendingPod& pod : copy.pods) pods.Append(PodJson(pod));
  return json::Dump(
      Versioned("QueueState", Value::MakeObject({{"active", static_cast<int64_t>(copy.counts.active)},
                                                 {"backoff", static_cast<int64_t>(copy.counts.backoff)},
                                                 {"unschedulable", static_cast<int64_t>(copy.counts.unschedulable)},
                                                 {"gated", static_cast<int64_t>(copy.counts.gated)},
                                                 {"binding", static_cast<int64_t>(copy.binding)},
                                                 {"total", static_cast<int64_t>(copy.total)},
                                                 {"pods", std::move(pods)}})));
}

}  // namespace berth::explain
