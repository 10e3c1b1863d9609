// The messages that other threads post to the inbox of the engine.
// Ownership: a message owns what it holds; a BindJob belongs to its attempt.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "api/node.h"
#include "api/pod.h"
#include "base/text_hash.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/objects/store.h"

namespace berth::engine {

// A source posts an object as it is now, or the key of an object that was deleted. A pod that has finished (Succeeded,
// Failed) counts as deleted.
struct NodeSet {
  api::NodeRef node;
};
struct NodeGone {
  std::string name;
};
struct PodSet {
  api::PodRef pod;
};
struct PodGone {
  std::string key;  // "namespace/name"
};
// The events of a whole list have been posted. present: the keys of the list; the engine deletes every object that it
// knows and that is not among them. null: the first list, before which the engine knows no object.
struct NodesListed {
  std::shared_ptr<const base::TextSet> present;  // names
};
struct PodsListed {
  std::shared_ptr<const base::TextSet> present;  // "namespace/name"
};
// The same messages for every other kind of object that a plugin needs. kind: its number in the object store.
struct ObjectSet {
  objects::KindId kind;
  objects::ObjectRef object;
};
struct ObjectGone {
  objects::KindId kind;
  std::string key;  // "namespace/name"; the name of an object without a namespace
};
struct ObjectsListed {
  objects::KindId kind;
  std::shared_ptr<const base::TextSet> present;
};
// The scheduling thread calls it between two cycles.
using Task = std::function<void()>;
// A task of a plugin, which runs when its time has come.
struct TimedTask {
  int64_t due_mono_ns;
  Task fn;
};
// The pod has left WaitOnPermit: the queue no longer has to record events for it.
struct PermitOver {
  std::string uid;
};
// A binding cycle has ended; see bind::BindingPort::Finished.
struct BindingFinished {
  bind::BindJob* job;
  plugin::Status status;
  bool at_permit;
};

using Message = std::variant<NodeSet, NodeGone, PodSet, PodGone, NodesListed, PodsListed, ObjectSet, ObjectGone,
                             ObjectsListed, Task, TimedTask, PermitOver, BindingFinished>;

}  // namespace berth::engine
