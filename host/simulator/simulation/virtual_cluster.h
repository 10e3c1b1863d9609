// The simulated API server for the scheduler: it stores the newest version of every node and pod, applies bindings and
// status writes, and sends the events that follow. Admission and controllers are separate (host/simulator/admission,
// manifests). Thread: any for setting, removing, and finding objects, and for writes; everything else only while
// nothing runs. Ownership: holds references to all objects; the caller owns the engine that receives the events.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "scheduler/engine/engine.h"
#include "scheduler/engine/writes.h"
#include "simulator/simulation/node_metrics.h"

namespace berth::simulation {

class Cluster final : public engine::Writes {
 public:
  explicit Cluster(api::InternTables& intern) : intern_(intern) {}
  // clock: for the times that the API server sets; outlives the attachment. Null: bound pods have no such times.
  void Attach(engine::Engine* engine, const base::Clock* clock = nullptr) { engine_ = engine, clock_ = clock; }
  api::InternTables& intern() { return intern_; }

  // Adds or replaces by name. A bound pod stays bound: spec.nodeName cannot be removed.
  void SetNode(api::NodeRef node);
  void SetPod(api::PodRef pod);
  bool RemoveNode(std::string_view name);
  bool RemovePod(std::string_view key);  // "namespace/name"
  // Sets an object of another kind and its resourceVersion. Returns false if the value is no valid object.
  bool SetObject(objects::KindId kind, json::Value object);
  bool RemoveObject(objects::KindId kind, std::string_view key);
  objects::ObjectRef FindObject(objects::KindId kind, std::string_view key) const;
  std::vector<objects::ObjectRef> Objects(objects::KindId kind) const;  // by key
  // The number of a kind that some plugin needs; 0: not needed.
  objects::KindId KindOf(std::string_view api_version, std::string_view resource) const;

  NodeMetrics& node_metrics() { return node_metrics_; }

  api::NodeRef FindNode(std::string_view name) const;
  api::PodRef FindPod(std::string_view key) const;
  // Changes a copy of the pod and its resourceVersion; null: there is no such pod.
  api::PodRef ChangePod(std::string_view key, const std::function<void(api::Pod&)>& change);
  std::vector<api::PodRef> PendingPods() const;  // on no node and not over
  // The number of changes that may matter to a pending pod: objects set or removed, and pods bound.
  uint64_t version() const;
  struct EventRecord {
    std::string pod, type, reason, note;
    std::string related;  // "namespace/name" of another pod; "": none
  };
  // NO_THREAD_SAFETY_ANALYSIS: for the end, when nothing runs.
  const std::vector<EventRecord>& events() const NO_THREAD_SAFETY_ANALYSIS { return events_; }
  void Record(EventRecord event);

  // Of a pod "namespace/name", as written last; null: none. For the end, when nothing runs.
  const engine::Annotations* AnnotationsOf(const std::string& pod) const NO_THREAD_SAFETY_ANALYSIS;

  // engine::Writes
  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override;
  // Binds the pod, as the API server does when the extender sends it the binding. A simulated extender cannot.
  void BoundByExtender(const api::Pod& pod, std::string_view node) override;
  void PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) override;
  // As the API server: annotations that the pod has already change nothing.
  void Annotate(const api::PodRef& pod, engine::MakeAnnotations make) override;
  void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
             std::string note) override;

 private:
  api::PodRef Find(std::string_view key) const REQUIRES(mutex_);
  void Publish(api::PodRef pod) REQUIRES(mutex_);
  // The error of a refused binding; "": bound.
  std::string TryBind(const berth_pod& pod, std::string_view node);
  // metav1.Now(), as it is stored: in whole seconds. Without a clock, a time before all others.
  int64_t StoredNow() const;
  std::string NextResourceVersion() REQUIRES(mutex_) { return std::to_string(++resource_version_); }

  api::InternTables& intern_;
  engine::Engine* engine_ = nullptr;
  const base::Clock* clock_ = nullptr;
  NodeMetrics node_metrics_;
  mutable base::Mutex mutex_;
  std::map<std::string, api::NodeRef, std::less<>> nodes_ GUARDED_BY(mutex_);
  std::map<std::string, api::PodRef, std::less<>> pods_ GUARDED_BY(mutex_);  // by namespace/name
  std::map<std::pair<objects::KindId, std::string>, objects::ObjectRef> objects_ GUARDED_BY(mutex_);  // by kind and key
  uint64_t version_ GUARDED_BY(mutex_) = 0;
  uint64_t resource_version_ GUARDED_BY(mutex_) = 1'000'000'000;  // above those of the manifests' objects
  std::vector<EventRecord> events_ GUARDED_BY(mutex_);
  std::map<std::string, engine::Annotations> annotations_ GUARDED_BY(mutex_);  // by namespace/name
};

}  // namespace berth::simulation
