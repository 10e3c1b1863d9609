#include "cluster/writer/status_patcher.h"

#include "client/requests/api_status.h"
#include "cluster/writer/pod_paths.h"
#include "codec/json/value.h"
#include "codec/text/rfc3339.h"
#include "telemetry/log/log.h"
#include "telemetry/trace/current.h"

namespace berth::writer {
namespace {

json::Value ConditionOf(const api::Pod& pod, const api::PodScheduledCondition& wanted, const std::string& now) {
  json::Value condition = json::Value::MakeObject({{"type", "PodScheduled"}, {"status", wanted.status}});
  condition.Set("lastProbeTime", nullptr);
  // If only the message differs, the status has not changed, so the server's lastTransitionTime stays.
  if (pod.scheduled_condition().status != wanted.status) condition.Set("lastTransitionTime", now);
  if (!wanted.reason.empty()) condition.Set("reason", wanted.reason);
  if (!wanted.message.empty()) condition.Set("message", wanted.message);
  if (wanted.observed_generation != 0) condition.Set("observedGeneration", wanted.observed_generation);
  return condition;
}

constexpr int kPatchTries = 4;
constexpr int64_t kPatchRetryDelay = base::kSecond;

void LogPatchFailure(std::string_view key, const http::Reply& reply) {
  const requests::ApiStatus status = requests::StatusOf(reply, "patch status of pod " + std::string(key));
  if (status.NotFound() || status.Conflict()) {  // deleted, or replaced by another pod with the same name
    log::V(3, "Pod to be patched is gone", {{"pod", log::KObj(key)}, {"err", status.message}});
  } else {
    log::Error("Failed to patch pod status", {{"pod", log::KObj(key)}, {"err", status.message}});
  }
}

}  // namespace

std::string StatusPatcher::BodyOf(const api::Pod& pod, const engine::StatusPatch& patch) const {
  json::Value status = json::Value::MakeObject();
  if (patch.condition) {
    json::Value conditions;
    conditions.Append(ConditionOf(pod, *patch.condition, text::TimeText(clock_.WallUnixNs())));
    status.Set("conditions", std::move(conditions));
  }
  if (patch.nominated_node) {
    status.Set("nominatedNodeName",
               patch.nominated_node->empty() ? json::Value(nullptr) : json::Value(*patch.nominated_node));
  }
  // The UID protects a newer pod with the same name.
  json::Value body = json::Value::MakeObject({{"metadata", json::Value::MakeObject({{"uid", pod.uid()}})}});
  body.Set("status", std::move(status));
  return json::Dump(body);
}

void StatusPatcher::Patch(const api::PodRef& pod, engine::StatusPatch patch) {
  const std::string uid(pod->uid());
  uint64_t ticket = 0;
  {
    base::MutexLock lock(mutex_);
    const auto [it, fresh] = entries_.try_emplace(uid);
    Entry& entry = it->second;
    entry.pod = pod;
    if (patch.condition) entry.wanted.condition = std::move(patch.condition);
    if (patch.nominated_node) entry.wanted.nominated_node = std::move(patch.nominated_node);
    if (!fresh) return;  // part of the patch in the queue, or sent after the open one
    ticket = entry.ticket = ++last_ticket_;
  }
  Enqueue(uid, ticket, 0);
}

void StatusPatcher::BeforeBinding(const std::string& uid, std::function<void()> bind) {
  {
    base::MutexLock lock(mutex_);
    const auto it = entries_.find(uid);
    if (it != entries_.end() && it->second.under_way) {
      it->second.wanted = {};
      it->second.binds.push_back([cause = trace::Current(), bind = std::move(bind)] {
        const trace::Scope scope(cause);
        bind();
      });
      return;
    }
    if (it != entries_.end()) entries_.erase(it);
  }
  bind();
}

void StatusPatcher::PodDeleted(const std::string& uid) {
  base::MutexLock lock(mutex_);
  const auto it = entries_.find(uid);
  if (it == entries_.end()) return;
  if (!it->second.under_way) {
    entries_.erase(it);
  } else {
    it->second.wanted = {};
    it->second.pod_deleted = true;
  }
}

void StatusPatcher::Enqueue(const std::string& uid, uint64_t ticket, int64_t delay_ns) {
  auto make = [this, uid, ticket] { return Make(uid, ticket); };
  auto done = [this, uid, ticket](const http::Reply& reply) { OnReply(uid, ticket, reply); };
  if (delay_ns == 0) return queue_.Post(std::move(make), std::move(done));
  queue_.PostAfter(delay_ns, std::move(make), std::move(done));
}

StatusPatcher::Entry* StatusPatcher::Find(const std::string& uid, uint64_t ticket) {
  const auto it = entries_.find(uid);
  return it != entries_.end() && it->second.ticket == ticket ? &it->second : nullptr;
}

std::optional<http::Request> StatusPatcher::Make(const std::string& uid, uint64_t ticket) {
  base::MutexLock lock(mutex_);
  Entry* entry = Find(uid, ticket);
  if (entry == nullptr) return std::nullopt;
  if (entry->wanted.condition) entry->current.condition = std::move(entry->wanted.condition);
  if (entry->wanted.nominated_node) entry->current.nominated_node = std::move(entry->wanted.nominated_node);
  entry->wanted = {};
  entry->under_way = true;
  http::Request request;
  request.method = "PATCH";
  request.path = PodPath(entry->pod->ns(), entry->pod->name(), "status");
  request.content_type = "application/strategic-merge-patch+json";
  request.accept = queue_.accept();
  request.body = BodyOf(*entry->pod, entry->current);
  return request;
}

std::optional<int64_t> StatusPatcher::TryAgain(Entry& entry, const http::Reply& reply) const {
  if (!entry.under_way || entry.pod_deleted || !entry.binds.empty() || queue_.stopped()) return std::nullopt;
  if (const auto retry_after = requests::TurnedAwayNs(reply)) {
    if (++entry.turned_away <= requests::kMostTurnedAway) return retry_after;
  }
  const bool hopeful = reply.status == 0 || reply.status == 409 || reply.status == 429 || reply.status >= 500;
  return hopeful && ++entry.failures < kPatchTries ? std::optional(kPatchRetryDelay) : std::nullopt;
}

void StatusPatcher::OnReply(const std::string& uid, uint64_t ticket, const http::Reply& reply) {
  std::vector<std::function<void()>> binds;
  std::optional<int64_t> again;
  {
    base::MutexLock lock(mutex_);
    Entry* entry = Find(uid, ticket);
    if (entry == nullptr) return;
    again = TryAgain(*entry, reply);
    if (entry->under_way && !again && !reply.ok() && !queue_.stopped()) LogPatchFailure(entry->pod->key(), reply);
    entry->under_way = false;
    binds.swap(entry->binds);
    if (!again) {
      entry->current = {};
      entry->failures = entry->turned_away = 0;
      if (!Empty(entry->wanted) && !queue_.stopped()) {
        again = 0;
      } else {
        entries_.erase(uid);
      }
    }
  }
  for (const auto& bind : binds) bind();
  if (again) Enqueue(uid, ticket, *again);
}

}  // namespace berth::writer
