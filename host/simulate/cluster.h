// The simulated API server as the scheduler sees it: the newest version of every node and pod, what a binding or a
// status write does to them, and the events that follow. Admission and the controllers come before this, in
// host/simulate too. Thread: objects are set, removed and found, and writes come, from any thread; the rest is for when
// nothing runs. Ownership: holds references to all objects; the engine it tells is the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/writes.h"

namespace berth::simulate {

class Cluster final : public engine::Writes {
 public:
  explicit Cluster(api::Vocabulary& words) : words_(words) {}
  void Attach(engine::Engine* engine) { engine_ = engine; }
  api::Vocabulary& words() { return words_; }

  // Adds or replaces by name. A pod that is bound here stays bound: spec.nodeName cannot be taken away.
  void SetNode(api::NodeRef node);
  void SetPod(api::PodRef pod);
  bool RemoveNode(std::string_view name);
  bool RemovePod(std::string_view key);  // "namespace/name"
  // Objects of other kinds, by their document (which gets a resourceVersion). false: it is no object.
  bool SetObject(objects::KindId kind, json::Value object);
  bool RemoveObject(objects::KindId kind, std::string_view key);
  objects::ObjectRef FindObject(objects::KindId kind, std::string_view key) const;
  std::vector<objects::ObjectRef> Objects(objects::KindId kind) const;  // by key
  // The number of a kind that some plugin needs; 0 otherwise.
  objects::KindId KindOf(std::string_view api_version, std::string_view resource) const;

  const std::map<std::string, api::NodeRef, std::less<>>& nodes() const { return nodes_; }
  api::PodRef FindPod(std::string_view key) const;
  // Changes a copy of the pod, which gets a resourceVersion of its own; null: there is no such pod.
  api::PodRef ChangePod(std::string_view key, const std::function<void(api::Pod&)>& change);
  std::vector<api::PodRef> PendingPods() const;  // on no node and not over
  // Counts changes that may matter to a pending pod: objects set or removed, pods bound.
  uint64_t version() const { return version_; }
  struct EventRecord {
    std::string pod, type, reason, note;
    std::string related;  // "namespace/name" of another pod; may be ""
  };
  const std::vector<EventRecord>& events() const { return events_; }
  void Record(EventRecord event);

  // engine::Writes
  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override;
  // As the API server when the extender has sent it the binding, which it cannot do here.
  void BoundByExtender(const api::Pod& pod, std::string_view node) override;
  void PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) override;
  void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
             std::string note) override;

 private:
  // With mutex_ held.
  api::PodRef Find(std::string_view key) const;
  void Publish(api::PodRef pod);
  // The words of a refused binding; "" when it was made.
  std::string TryBind(const berth_pod& pod, std::string_view node);
  std::string NextResourceVersion() { return std::to_string(++resource_version_); }

  api::Vocabulary& words_;
  engine::Engine* engine_ = nullptr;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, api::NodeRef, std::less<>> nodes_;
  std::map<std::string, api::PodRef, std::less<>> pods_;                           // by namespace/name
  std::map<std::pair<objects::KindId, std::string>, objects::ObjectRef> objects_;  // by kind and key
  uint64_t version_ = 0;
  uint64_t resource_version_ = 1'000'000'000;  // above those that objects bring along
  std::vector<EventRecord> events_;
};

}  // namespace berth::simulate
