// A work queue, and the processing of its keys: it sends the writes that the reconciler decides, and repeats failed
// ones. It works only while this process leads and the lists are complete. Thread: that of the loop. Ownership:
// reconciler, port, and registry outlive the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/text_hash.h"
#include "client/http/transport.h"
#include "controllers/reconcile/reconcile_metrics.h"
#include "controllers/reconcile/reconciler.h"
#include "controllers/work/work_queue.h"

namespace berth::reconcile {

class Controller;

// What a controller needs of the loop.
class Port {
 public:
  virtual ~Port() = default;
  // The loop calls controller.OnReply(key, reply) later.
  virtual void Send(Controller& controller, const std::string& key, http::Request request) = 0;
  virtual void Record(events::EventRecord record) = 0;
  virtual int64_t Now() const = 0;  // mono ns
};

class Controller {
 public:
  // name: "podgroup", of the queue and in metrics. workers: how many writes may wait for their answer.
  Controller(std::string name, Reconciler& reconciler, Port& port, size_t workers, metrics::Registry& registry);

  // Starts with all objects, or stops working and drops the queue.
  void SetLeading(bool leading);
  void SetSynced();  // all objects that the reconciler needs are known

  void Add(const std::string& key);
  // Processes the keys whose turn it is.
  void Work();
  void OnReply(const std::string& key, const http::Reply& reply);

  std::optional<int64_t> NextDue() const { return queue_.NextDue(); }
  void Measure() { queue_.Measure(port_.Now()); }
  bool synced() const { return synced_; }
  const std::string& name() const { return name_; }

 private:
  bool Works() const { return leading_ && synced_; }
  void Begin();
  void Reconcile(const std::string& key);
  void End(const std::string& key, bool ok);
  void Failed(const std::string& key, const http::Reply& reply);

  const std::string name_;
  Reconciler& reconciler_;
  Port& port_;
  const size_t workers_;
  ReconcileMetrics metrics_;
  work::WorkQueue queue_;
  bool leading_ = false, synced_ = false;
  base::TextMap<int64_t> began_;  // of the keys whose write waits for its answer
};

}  // namespace berth::reconcile
