// The PreFilter point: rejects the pod outright, narrows the nodes by name, and decides whose Filter is left out.
// Source of the rules: RunPreFilterPlugins; core.md 1.3. Thread: scheduling thread; the object is reused over cycles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bitmap.h"
#include "cache/cache.h"
#include "framework/profile.h"
#include "plugin/status.h"

namespace berth::framework {

class PreFilterRun {
 public:
  explicit PreFilterRun(cache::Cache& cache) : cache_(cache) {}

  // Success, a rejection (of every node), or an error.
  plugin::Status Run(Profile& profile, berth_cycle& cycle, const berth_pod& pod);

  const std::vector<uint8_t>& skip() const { return skip_; }  // by instance index
  const std::vector<plugin::Instance*>& narrowed_by() const { return narrowed_by_; }
  bool narrowed() const { return narrowed_; }
  const base::Bitmap& candidates() const { return candidates_; }  // live rows; the named ones when narrowed
  // What nodes outside the candidates are told: `node(s) didn't satisfy plugin(s) [A B]`. Only when narrowed. also: a
  // plugin that upstream puts into the same set, the one that rejected the nominated node; nullptr = none.
  std::string AbsentReason(const plugin::Instance* also) const;

 private:
  void Intersect(const berth_names& names);
  void FindCandidates();
  std::vector<std::string> NarrowedNames(const plugin::Instance* also = nullptr) const;  // sorted, each once

  cache::Cache& cache_;
  std::vector<uint8_t> skip_;
  std::vector<plugin::Instance*> narrowed_by_;
  bool narrowed_ = false;
  std::vector<base::Id> names_;  // sorted; what is left when narrowed
  base::Bitmap candidates_;
};

}  // namespace berth::framework
