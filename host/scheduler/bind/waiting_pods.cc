#include "scheduler/bind/waiting_pods.h"

#include <algorithm>

#include "codec/text/duration.h"

namespace berth::bind {
namespace {

plugin::Status Rejected(base::Id plugin, std::string reason) {
  return plugin::Status{plugin::Code::kUnschedulable, plugin, {std::move(reason)}};
}

}  // namespace

void WaitingPods::Add(const api::PodRef& pod, const std::vector<std::pair<plugin::Instance*, int64_t>>& waits,
                      int64_t now) {
  Entry entry;
  entry.pod = pod;
  for (const auto& [plugin, timeout] : waits) {
    entry.pending.push_back({base::OwnedId(ids_, plugin->name()), plugin->name(), now + timeout, timeout});
  }
  std::stable_sort(entry.pending.begin(), entry.pending.end(),
                   [](const Wait& a, const Wait& b) { return a.deadline < b.deadline; });
  base::MutexLock lock(mutex_);
  const auto at = entries_.try_emplace(std::string(pod->uid())).first;
  Unlist(*at);
  at->second = std::move(entry);
  List(*at);
}

void WaitingPods::Unlist(const Entries::value_type& entry) {
  if (entry.second.pending.empty()) return;
  deadlines_.erase({entry.second.pending.front().deadline, entry.first});
}

void WaitingPods::List(const Entries::value_type& entry) {
  if (entry.second.result || entry.second.pending.empty()) return;
  deadlines_.emplace(entry.second.pending.front().deadline, entry.first);
}

void WaitingPods::Erase(Entries::iterator at) {
  Unlist(*at);
  entries_.erase(at);
}

void WaitingPods::Remove(std::string_view uid) {
  base::MutexLock lock(mutex_);
  const auto at = entries_.find(std::string(uid));
  if (at != entries_.end()) Erase(at);
}

void WaitingPods::WaitFor(std::string_view uid, Outcome outcome) {
  plugin::Status status;
  {
    base::MutexLock lock(mutex_);
    auto it = entries_.find(std::string(uid));
    if (it != entries_.end()) {
      if (!it->second.result) {
        it->second.outcome = std::move(outcome);
        return;
      }
      status = std::move(*it->second.result);
      Erase(it);
    }
  }
  outcome(std::move(status));
}

bool WaitingPods::Deliver(std::string_view uid, plugin::Status status) {
  Outcome outcome;
  {
    base::MutexLock lock(mutex_);
    auto it = entries_.find(std::string(uid));
    if (it == entries_.end() || it->second.result) return false;  // the first result wins
    if (!it->second.outcome) {
      it->second.result = std::move(status);
      Unlist(*it);
      return true;
    }
    outcome = std::move(it->second.outcome);
    Erase(it);
  }
  outcome(std::move(status));
  return true;
}

void WaitingPods::Each(const std::function<void(const berth_pod&)>& fn) {
  std::vector<api::PodRef> pods;
  {
    base::MutexLock lock(mutex_);
    for (const auto& [uid, entry] : entries_) {
      if (!entry.result) pods.push_back(entry.pod);
    }
  }
  for (const api::PodRef& pod : pods) fn(pod->abi);
}

bool WaitingPods::Allow(std::string_view uid, const plugin::Instance& plugin) {
  {
    base::MutexLock lock(mutex_);
    auto it = entries_.find(std::string(uid));
    if (it == entries_.end() || it->second.result) return false;
    auto& pending = it->second.pending;
    auto mine = std::find_if(pending.begin(), pending.end(), [&](const Wait& w) { return w.name == plugin.name(); });
    if (mine == pending.end()) return true;  // it did not return WAIT, or has allowed the pod before
    Unlist(*it);
    pending.erase(mine);
    List(*it);
    if (!pending.empty()) return true;
  }
  return Deliver(uid, {});
}

bool WaitingPods::Reject(std::string_view uid, const plugin::Instance& plugin, std::string reason) {
  return Deliver(uid, Rejected(plugin.name_id(), std::move(reason)));
}

bool WaitingPods::Preempt(std::string_view uid, const plugin::Instance& plugin, std::string_view reason) {
  return Deliver(
      uid,
      plugin::Status{plugin::Code::kError, plugin.name_id(), {"waiting on permit for pod: " + std::string(reason)}});
}

bool WaitingPods::RejectRemoved(std::string_view uid) { return Deliver(uid, Rejected(base::kNoId, "removed")); }

void WaitingPods::RejectAll(const std::string& reason) {
  std::vector<std::string> uids;
  {
    base::MutexLock lock(mutex_);
    for (const auto& [uid, entry] : entries_) uids.push_back(uid);
  }
  for (const std::string& uid : uids) Deliver(uid, Rejected(base::kNoId, reason));
}

void WaitingPods::Expire(int64_t now) {
  std::vector<std::pair<std::string, plugin::Status>> over;
  {
    base::MutexLock lock(mutex_);
    for (const auto& [deadline, uid] : deadlines_) {
      if (deadline > now) break;
      const Wait& first = entries_.at(std::string(uid)).pending.front();
      over.emplace_back(
          uid, Rejected(first.plugin.get(), "rejected due to timeout after waiting " +
                                                text::FormatMilliseconds(first.timeout) + " at plugin " + first.name));
    }
  }
  for (auto& [uid, status] : over) Deliver(uid, std::move(status));
}

std::optional<int64_t> WaitingPods::NextDeadline() const {
  base::MutexLock lock(mutex_);
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

}  // namespace berth::bind
