#include "dispatch/status_patcher.h"

#include "api/time_text.h"
#include "dispatch/pod_paths.h"
#include "json/value.h"
#include "kube/api_status.h"
#include "log/log.h"

namespace berth::dispatch {
namespace {

json::Value ConditionOf(const api::Pod& pod, const api::PodScheduledCondition& wanted, const std::string& now) {
  json::Value condition = json::Value::MakeObject({{"type", "PodScheduled"}, {"status", wanted.status}});
  condition.Set("lastProbeTime", nullptr);
  // A condition that only says why in other words has not changed since: what the server has stays.
  if (pod.scheduled_condition.status != wanted.status) condition.Set("lastTransitionTime", now);
  if (!wanted.reason.empty()) condition.Set("reason", wanted.reason);
  if (!wanted.message.empty()) condition.Set("message", wanted.message);
  if (wanted.observed_generation != 0) condition.Set("observedGeneration", wanted.observed_generation);
  return condition;
}

}  // namespace

std::string StatusPatcher::BodyOf(const api::Pod& pod, const engine::StatusPatch& patch) const {
  json::Value status = json::Value::MakeObject();
  if (patch.condition) {
    json::Value conditions;
    conditions.Append(ConditionOf(pod, *patch.condition, api::TimeText(clock_.WallUnixNs())));
    status.Set("conditions", std::move(conditions));
  }
  if (patch.nominated_node) {
    status.Set("nominatedNodeName",
               patch.nominated_node->empty() ? json::Value(nullptr) : json::Value(*patch.nominated_node));
  }
  // With the UID, so that a pod of the same name that came after it is left alone.
  json::Value body = json::Value::MakeObject({{"metadata", json::Value::MakeObject({{"uid", pod.uid}})}});
  body.Set("status", std::move(status));
  return json::Dump(body);
}

void StatusPatcher::Patch(const api::PodRef& pod, engine::StatusPatch patch) {
  {
    std::lock_guard lock(mutex_);
    const auto [it, fresh] = under_way_.try_emplace(pod->uid);
    if (!fresh) {
      Pending& pending = it->second;
      pending.asked = true;
      pending.pod = pod;
      if (patch.condition) pending.patch.condition = std::move(patch.condition);
      if (patch.nominated_node) pending.patch.nominated_node = std::move(patch.nominated_node);
      return;
    }
  }
  Send(pod, patch);
}

void StatusPatcher::Send(const api::PodRef& pod, const engine::StatusPatch& patch) {
  const size_t slash = pod->key().find('/');
  http::Request request;
  request.method = "PATCH";
  request.path = PodPath(std::string_view(pod->key()).substr(0, slash), pod->name, "status");
  request.content_type = "application/strategic-merge-patch+json";
  request.body = BodyOf(*pod, patch);
  queue_.Post(std::move(request),
              [this, uid = pod->uid, key = pod->key()](const http::Reply& reply) { OnReply(uid, key, reply); });
}

void StatusPatcher::OnReply(const std::string& uid, const std::string& key, const http::Reply& reply) {
  if (!reply.ok()) {
    const kube::ApiStatus status = kube::StatusOf(reply, "patch status of pod " + key);
    if (status.NotFound() || status.Conflict()) {  // deleted meanwhile, or another pod has its name
      log::V(3, "Pod to be patched is gone", {{"pod", key}, {"err", status.message}});
    } else {
      log::Error("Failed to patch pod status", {{"pod", key}, {"err", status.message}});
    }
  }
  Pending next;
  {
    std::lock_guard lock(mutex_);
    const auto it = under_way_.find(uid);
    if (!it->second.asked) {
      under_way_.erase(it);
      return;
    }
    next = std::move(it->second);
    it->second = Pending{};
  }
  Send(next.pod, next.patch);
}

}  // namespace berth::dispatch
