#include "telemetry/log/line_queue.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "telemetry/log/format.h"
#include "telemetry/log/write_lines.h"

namespace berth::log {
namespace {

int64_t MonoMilliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

std::string Notice(uint64_t dropped, int fd) {
  const std::string text = std::to_string(dropped) + (dropped == 1 ? " line was" : " lines were") +
                           " dropped because standard " + (fd == STDOUT_FILENO ? "output" : "error") + " was not read";
  return Formatted({Severity::kWarning, 0, __FILE__, __LINE__, text}) + "\n";
}

}  // namespace

LineQueue::LineQueue(int fd, size_t bytes) : LineQueue(fd, bytes, Hold()) {}

LineQueue::LineQueue(int fd, size_t bytes, Hold hold)
    : fd_(fd), bytes_(bytes), hold_(hold), thread_([this] { Run(); }) {
  pthread_setname_np(thread_.native_handle(), "berth-log");
}

LineQueue::~LineQueue() {
  {
    base::MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void LineQueue::Add(std::string_view line) {
  {
    base::MutexLock lock(mutex_);
    // After a dropped line, the next lines are dropped too until much of the buffer is free, so lines and gaps keep
    // their order.
    if (waiting_.dropped_behind > 0 || waiting_.text.size() + line.size() + 1 > bytes_) {
      ++waiting_.dropped_behind;
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    waiting_.text.append(line).push_back('\n');
    waiting_.ends.push_back(waiting_.text.size());
    added_.fetch_add(1);
  }
  changed_.notify_one();
}

bool LineQueue::Flush(std::chrono::milliseconds timeout) const {
  constexpr timespec kPause{0, 1'000'000};
  const uint64_t until = added_.load();
  wanted_.store(until);
  for (const int64_t deadline = MonoMilliseconds() + timeout.count(); settled_.load() < until;) {
    if (MonoMilliseconds() >= deadline) return false;
    nanosleep(&kPause, nullptr);
  }
  return true;
}

void LineQueue::Run() {
  for (Batch batch; Take(batch);) Write(batch);
}

// Flush is async-signal-safe and cannot wake this thread, so that it looks often while it holds lines back.
void LineQueue::HoldBack(base::MutexLock& lock) {
  constexpr std::chrono::milliseconds kBetweenLooks{20};
  const auto until = std::chrono::steady_clock::now() + hold_.time;
  while (waiting_.text.size() < hold_.bytes && !ending_ && wanted_.load() <= settled_.load() &&
         std::chrono::steady_clock::now() < until) {
    changed_.wait_for(lock, kBetweenLooks);
  }
}

// Moves all waiting lines to `batch` and takes over its memory. Returns false at the end.
bool LineQueue::Take(Batch& batch) {
  batch.text.clear();
  batch.ends.clear();
  batch.dropped_behind = 0;
  base::MutexLock lock(mutex_);
  changed_.wait(lock,
                [this]() REQUIRES(mutex_) { return !waiting_.ends.empty() || waiting_.dropped_behind > 0 || ending_; });
  HoldBack(lock);
  std::swap(batch, waiting_);
  return !batch.ends.empty() || batch.dropped_behind > 0;
}

void LineQueue::Write(const Batch& batch) {
  const size_t written = WriteLines(fd_, batch.text);
  const auto lost = batch.ends.end() - std::upper_bound(batch.ends.begin(), batch.ends.end(), written);
  dropped_.fetch_add(static_cast<uint64_t>(lost), std::memory_order_relaxed);
  if (batch.dropped_behind > 0) WriteLines(fd_, Notice(batch.dropped_behind, fd_));
  settled_.fetch_add(batch.ends.size());
}

}  // namespace berth::log
