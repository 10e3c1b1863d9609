// The pods that Filter rejected on a node, to retry them when a report makes room: the event of the report came
// earlier, and did not help them then. Thread: [serial], and Note in [parallel] calls.
#pragma once

#include <berth/plugin.hpp>

#include <atomic>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace plugins::node_topology {

class Rejections {
 public:
  // A cycle of the pod begins.
  void Begin(std::string_view uid) {
    Remember();
    trying_ = uid;
  }
  // Filter has rejected the pod on a node.
  void Note() {
    if (!noted_.load(std::memory_order_relaxed)) noted_.store(true, std::memory_order_relaxed);
  }
  // The pod has a node, or it was deleted.
  void Forget(std::string_view uid) {
    Remember();
    waiting_.erase(std::string(uid));
  }
  // All of them, once. Between two cycles.
  std::unordered_set<std::string> Take() {
    Remember();
    return std::exchange(waiting_, {});
  }

 private:
  void Remember() {
    if (noted_.exchange(false, std::memory_order_relaxed) && !trying_.empty()) waiting_.insert(trying_);
  }

  std::atomic<bool> noted_ = false;
  std::string trying_;                       // UID; "": the profile does not use preFilter
  std::unordered_set<std::string> waiting_;  // UIDs
};

}  // namespace plugins::node_topology
