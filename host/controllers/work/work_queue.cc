#include "controllers/work/work_queue.h"

#include <algorithm>

namespace berth::work {

void WorkQueue::Add(const std::string& key, int64_t now) {
  if (!wanted_.emplace(key, now).second) return;
  metrics_.Added();
  if (!taken_.contains(key)) PutInLine(key);
}

void WorkQueue::PutInLine(const std::string& key) {
  line_.push_back(key);
  metrics_.SetDepth(line_.size());
}

std::optional<std::string> WorkQueue::Take(int64_t now) {
  Promote(now);
  if (line_.empty()) return std::nullopt;
  std::string key = std::move(line_.front());
  line_.pop_front();
  metrics_.SetDepth(line_.size());
  const auto wanted = wanted_.find(key);
  metrics_.Waited(now - wanted->second);
  wanted_.erase(wanted);
  taken_[key] = now;
  return key;
}

void WorkQueue::Done(const std::string& key, int64_t now) {
  const auto taken = taken_.find(key);
  if (taken == taken_.end()) return;
  metrics_.Worked(now - taken->second);
  taken_.erase(taken);
  if (wanted_.contains(key)) PutInLine(key);
}

void WorkQueue::Retry(const std::string& key, int64_t now) {
  metrics_.Retried();
  const int64_t due = now + delays_.Next(key);
  if (delayed_keys_.insert(key).second) delayed_.emplace(due, key);
}

void WorkQueue::Clear() {
  line_.clear();
  wanted_.clear();
  delayed_.clear();
  delayed_keys_.clear();
  delays_.Clear();
  metrics_.SetDepth(0);
}

void WorkQueue::Promote(int64_t now) {
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    const std::string key = std::move(delayed_.begin()->second);
    delayed_.erase(delayed_.begin());
    delayed_keys_.erase(key);
    Add(key, now);
  }
}

std::optional<int64_t> WorkQueue::NextDue() const {
  return delayed_.empty() ? std::nullopt : std::optional(delayed_.begin()->first);
}

void WorkQueue::Measure(int64_t now) {
  int64_t sum = 0, longest = 0;
  for (const auto& [key, since] : taken_) {
    sum += now - since;
    longest = std::max(longest, now - since);
  }
  metrics_.SetUnfinished(sum, longest);
}

}  // namespace berth::work
