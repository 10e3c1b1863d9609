// The writes of the engine to the API server, as a port; a simulated cluster implements it, too.
// Thread: any. Implementations do not block the caller. The effect of a write comes back as a message of a source.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "plugin/instance/ports.h"

namespace berth::engine {

// A change of a pod's status. Unset fields stay as they are.
struct StatusPatch {
  std::optional<api::PodScheduledCondition> condition = {};
  std::optional<std::string> nominated_node = {};  // "" clears it
};

class Writes : public plugin::BinderPort {
 public:
  // An extender has bound the pod. A source reports it, except in a simulation.
  virtual void BoundByExtender(const api::Pod& /*pod*/, std::string_view /*node*/) {}
  virtual void PatchStatus(const api::PodRef& pod, StatusPatch patch) = 0;
  // events.k8s.io: type "Normal" or "Warning".
  virtual void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
                     std::string note) = 0;
};

}  // namespace berth::engine
