#include "telemetry/trace/span_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth::trace {

void SpanQueue::Add(Span span) {
  base::MutexLock lock(mutex_);
  if (spans_.size() >= capacity_) {
    ++dropped_;
    return;
  }
  spans_.push_back(std::move(span));
  if (wanted_ != 0 && spans_.size() >= wanted_) changed_.notify_one();
}

std::vector<Span> SpanQueue::Take(size_t batch, std::chrono::nanoseconds wait) {
  base::MutexLock lock(mutex_);
  wanted_ = std::min(batch, capacity_);
  changed_.wait_for(lock, wait, [this]() REQUIRES(mutex_) { return spans_.size() >= wanted_ || closed_; });
  wanted_ = 0;
  const auto end = spans_.begin() + static_cast<std::ptrdiff_t>(std::min(batch, spans_.size()));
  std::vector<Span> taken(std::make_move_iterator(spans_.begin()), std::make_move_iterator(end));
  spans_.erase(spans_.begin(), end);
  return taken;
}

void SpanQueue::Close() {
  base::MutexLock lock(mutex_);
  closed_ = true;
  changed_.notify_one();
}

uint64_t SpanQueue::dropped() const {
  base::MutexLock lock(mutex_);
  return dropped_;
}

}  // namespace berth::trace
