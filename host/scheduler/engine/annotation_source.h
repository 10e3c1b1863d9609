// The annotations that a pod gets after an attempt, as a port: the texts are made above the engine.
// Thread: the scheduling thread.
#pragma once

#include <memory>
#include <string_view>

#include "scheduler/decisions/node_table.h"
#include "scheduler/engine/writes.h"
#include "scheduler/framework/profile.h"

namespace berth::engine {

class AnnotationSource {
 public:
  virtual ~AnnotationSource() = default;
  // table: null if none is recorded. node: to which the pod was bound; "": the attempt failed. An empty function: the
  // annotations stay as they are.
  virtual MakeAnnotations After(const framework::Profile& profile, std::shared_ptr<const decisions::NodeTable> table,
                                std::string_view node) = 0;
};

}  // namespace berth::engine
