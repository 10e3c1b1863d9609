// The writes of the engine to the API server, as a port; a simulated cluster implements it, too.
// Thread: any. Implementations do not block the caller. The effect of a write comes back as a message of a source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "plugin/instance/ports.h"

namespace berth::engine {

// A change of a pod's status. Unset fields stay as they are.
struct StatusPatch {
  std::optional<api::PodScheduledCondition> condition = {};
  std::optional<std::string> nominated_node = {};  // "" clears it
};

// Keys and values; nullopt removes the annotation.
using Annotations = std::vector<std::pair<std::string, std::optional<std::string>>>;
// Makes them when they are sent: once or never, on any thread.
using MakeAnnotations = std::function<Annotations()>;

class Writes : public plugin::BinderPort {
 public:
  // Whether this process may change objects now. Writes ask for themselves; extenders, which bind with requests of
  // their own, are not called without this right.
  virtual bool MayWrite() const { return true; }
  // An extender has bound the pod. A source reports it, except in a simulation.
  virtual void BoundByExtender(const api::Pod& /*pod*/, std::string_view /*node*/) {}
  virtual void PatchStatus(const api::PodRef& pod, StatusPatch patch) = 0;
  // The pod with this UID was deleted or has finished: what waits to be sent is not sent. Such a binding ends with the
  // error with which the API server rejects one of a pod that does not exist.
  virtual void PodDeleted(std::string_view /*uid*/) {}
  // Replaces what an earlier call wanted for the pod. May be dropped: nothing depends on it.
  virtual void Annotate(const api::PodRef& /*pod*/, MakeAnnotations /*make*/) {}
  // events.k8s.io: type "Normal" or "Warning".
  virtual void Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view action,
                     std::string note) = 0;
};

}  // namespace berth::engine
