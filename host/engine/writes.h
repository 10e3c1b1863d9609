// What the engine asks of the API server, as a port: a real one, or a simulated cluster.
// Thread: any; implementations must not block the caller, and report what became of it through the source of events.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "plugin/ports.h"

namespace berth::engine {

// What a failed attempt writes into a pod's status. Unset parts stay as they are.
struct StatusPatch {
  std::optional<api::PodScheduledCondition> condition;
  std::optional<std::string> nominated_node;  // "" clears it
};

class Writes : public plugin::BinderPort {
 public:
  // An extender has bound the pod, which the source of events will tell unless there is no API server.
  virtual void BoundByExtender(const api::Pod& /*pod*/, std::string_view /*node*/) {}
  virtual void PatchStatus(const api::PodRef& pod, StatusPatch patch) = 0;
  // events.k8s.io: type "Normal" or "Warning".
  virtual void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
                     std::string note) = 0;
};

}  // namespace berth::engine
