// The keys that a controller has to look at, in the order of their arrival. A key is in the queue once, however often
// it is added, and one owner processes a key at a time: a key that is added in the meantime returns to the queue after
// Done. Source: k8s.io/client-go/util/workqueue (queue.go, delaying_queue.go, rate_limiting_queue.go). Thread: one
// owner. It has no clock: times are mono nanoseconds of the caller.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "base/text_hash.h"
#include "controllers/work/retry_delays.h"
#include "telemetry/metrics/workqueue_metrics.h"

namespace berth::work {

class WorkQueue {
 public:
  explicit WorkQueue(metrics::WorkqueueMetrics metrics = {}) : metrics_(metrics) {}

  void Add(const std::string& key, int64_t now);
  // The next key; the caller calls Done for it. nullopt: there is none now.
  std::optional<std::string> Take(int64_t now);
  // The caller has finished its work on the key.
  void Done(const std::string& key, int64_t now);
  // The work on the key failed: it is added again after its delay. Before Done.
  void Retry(const std::string& key, int64_t now);
  // The work on the key succeeded, or the object was deleted: the next failure counts as the first one.
  void Forget(const std::string& key) { delays_.Forget(key); }
  // Drops all keys except those in progress.
  void Clear();

  // When the next delay ends; nullopt: no key is delayed.
  std::optional<int64_t> NextDue() const;
  size_t size() const { return line_.size(); }
  size_t taken() const { return taken_.size(); }
  // Sets the gauges of the work in progress.
  void Measure(int64_t now);

 private:
  void Promote(int64_t now);
  void PutInLine(const std::string& key);

  metrics::WorkqueueMetrics metrics_;
  RetryDelays delays_;
  std::deque<std::string> line_;
  base::TextMap<int64_t> wanted_;                // in line, or taken and added again: since when
  base::TextMap<int64_t> taken_;                 // since when
  std::multimap<int64_t, std::string> delayed_;  // by the time when they are added
  base::TextSet delayed_keys_;                   // a key is delayed once
};

}  // namespace berth::work
