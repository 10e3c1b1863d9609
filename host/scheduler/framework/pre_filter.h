// The PreFilter extension point: rejects the pod, limits the nodes by name, and decides which Filter plugins to skip.
// Source: RunPreFilterPlugins in pkg/scheduler/framework/runtime/framework.go.
// Thread: scheduling thread. Ownership: the results are valid until the next call; the object keeps its memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bitmap.h"
#include "plugin/instance/status.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/cycle_context.h"

namespace berth::framework {

class PreFilterRun {
 public:
  explicit PreFilterRun(cache::Cache& cache) : cache_(cache) {}

  // Returns Success, a rejection of every node, or an error.
  plugin::Status RunPreFilterPlugins(const CycleContext& ctx);

  const std::vector<uint8_t>& skip() const { return skip_; }  // by instance index
  const std::vector<plugin::Instance*>& narrowed_by() const { return narrowed_by_; }
  bool narrowed() const { return narrowed_; }
  const base::Bitmap& candidates() const { return candidates_; }  // live rows; if narrowed, only the named ones
  // The reason of nodes that are not candidates: `node(s) didn't satisfy plugin(s) [A B]`. Requires narrowed(). also:
  // the plugin that rejected the nominated node, which upstream adds to the same set; may be null.
  std::string AbsentReason(const plugin::Instance* also) const;

 private:
  plugin::Status AskPlugins(const CycleContext& ctx);
  void Intersect(const berth_names& names);
  void FindCandidates();
  std::vector<std::string> NarrowedNames(const plugin::Instance* also = nullptr) const;  // sorted, each once

  cache::Cache& cache_;
  std::vector<uint8_t> skip_;
  std::vector<plugin::Instance*> narrowed_by_;
  bool narrowed_ = false;
  std::vector<base::Id> names_;  // sorted; the names in every result so far
  base::Bitmap candidates_;
};

}  // namespace berth::framework
