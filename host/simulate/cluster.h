// The simulated API server as the scheduler sees it: the newest version of every node and pod, what a binding or a
// status write does to them, and the events that follow. Admission and the controllers come before this, in
// host/simulate too. Thread: objects are set, removed and found, and writes come, from any thread; the rest is for when
// nothing runs. Ownership: holds references to all objects; the engine it tells is the caller's.
#pragma once

#include <cstdint>
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

  const std::map<std::string, api::NodeRef, std::less<>>& nodes() const { return nodes_; }
  api::PodRef FindPod(std::string_view key) const;
  std::vector<api::PodRef> PendingPods() const;  // on no node and not over
  // Counts changes that may matter to a pending pod: objects set or removed, pods bound.
  uint64_t version() const { return version_; }
  struct EventRecord {
    std::string pod, type, reason, note;
  };
  const std::vector<EventRecord>& events() const { return events_; }

  // engine::Writes
  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override;
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
  std::map<std::string, api::PodRef, std::less<>> pods_;  // by namespace/name
  uint64_t version_ = 0;
  uint64_t resource_version_ = 1'000'000'000;  // above those that objects bring along
  std::vector<EventRecord> events_;
};

}  // namespace berth::simulate
