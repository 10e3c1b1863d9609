#include "bind/waiting_pods.h"

#include <algorithm>

namespace berth::bind {
namespace {

// Go's time.Duration.String for whole milliseconds: "10s", "1m0s", "1.5s", "250ms".
std::string GoDuration(int64_t ns) {
  const int64_t ms = ns / base::kMillisecond;
  if (ms < 1000) return ms == 0 ? "0s" : std::to_string(ms) + "ms";
  const int64_t hours = ms / 3'600'000, minutes = ms / 60'000 % 60, seconds = ms / 1000 % 60;
  std::string fraction = std::to_string(1000 + ms % 1000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  std::string text = std::to_string(seconds) + (fraction.empty() ? "" : "." + fraction) + "s";
  if (hours > 0 || minutes > 0) text = std::to_string(minutes) + "m" + text;
  if (hours > 0) text = std::to_string(hours) + "h" + text;
  return text;
}

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
  std::lock_guard lock(mutex_);
  entries_[pod->uid] = std::move(entry);
}

void WaitingPods::Remove(std::string_view uid) {
  std::lock_guard lock(mutex_);
  entries_.erase(std::string(uid));
}

void WaitingPods::WaitFor(std::string_view uid, Outcome outcome) {
  plugin::Status status;
  {
    std::lock_guard lock(mutex_);
    auto it = entries_.find(std::string(uid));
    if (it != entries_.end()) {
      if (!it->second.result) {
        it->second.outcome = std::move(outcome);
        return;
      }
      status = std::move(*it->second.result);
      entries_.erase(it);
    }
  }
  outcome(std::move(status));
}

bool WaitingPods::Deliver(std::string_view uid, plugin::Status status) {
  Outcome outcome;
  {
    std::lock_guard lock(mutex_);
    auto it = entries_.find(std::string(uid));
    if (it == entries_.end() || it->second.result) return false;  // the first result wins
    if (!it->second.outcome) {
      it->second.result = std::move(status);
      return true;
    }
    outcome = std::move(it->second.outcome);
    entries_.erase(it);
  }
  outcome(std::move(status));
  return true;
}

void WaitingPods::Each(const std::function<void(const berth_pod&)>& fn) {
  std::vector<api::PodRef> pods;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [uid, entry] : entries_) {
      if (!entry.result) pods.push_back(entry.pod);
    }
  }
  for (const api::PodRef& pod : pods) fn(pod->abi);
}

bool WaitingPods::Allow(std::string_view uid, const plugin::Instance& plugin) {
  {
    std::lock_guard lock(mutex_);
    auto it = entries_.find(std::string(uid));
    if (it == entries_.end() || it->second.result) return false;
    auto& pending = it->second.pending;
    auto mine = std::find_if(pending.begin(), pending.end(), [&](const Wait& w) { return w.name == plugin.name(); });
    if (mine == pending.end()) return true;  // it never asked to wait, or allowed before
    pending.erase(mine);
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
    std::lock_guard lock(mutex_);
    for (const auto& [uid, entry] : entries_) uids.push_back(uid);
  }
  for (const std::string& uid : uids) Deliver(uid, Rejected(base::kNoId, reason));
}

void WaitingPods::Expire(int64_t now) {
  std::vector<std::pair<std::string, plugin::Status>> over;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [uid, entry] : entries_) {
      if (entry.result) continue;
      const auto first = std::min_element(entry.pending.begin(), entry.pending.end(),
                                          [](const Wait& a, const Wait& b) { return a.deadline < b.deadline; });
      if (first == entry.pending.end() || first->deadline > now) continue;
      over.emplace_back(
          uid, Rejected(first->plugin.get(), "rejected due to timeout after waiting " + GoDuration(first->timeout) +
                                                 " at plugin " + first->name));
    }
  }
  for (auto& [uid, status] : over) Deliver(uid, std::move(status));
}

std::optional<int64_t> WaitingPods::NextDeadline() const {
  std::optional<int64_t> next;
  std::lock_guard lock(mutex_);
  for (const auto& [uid, entry] : entries_) {
    if (entry.result) continue;
    for (const Wait& w : entry.pending) next = next ? std::min(*next, w.deadline) : w.deadline;
  }
  return next;
}

}  // namespace berth::bind
