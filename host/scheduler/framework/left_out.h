// The pods that a trial has left out when Filter last accepted its rows. If a PostFilter plugin then nominates the pod
// to one of the rows, they are its victims: the host learns them without a plugin's help.
// Thread: scheduling thread, during a cycle. Ownership: pods belong to the snapshot, and outlive the cycle. Pods that a
// trial adds belong to the plugin; they are never kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/framework/verdict_check.h"

namespace berth::framework {

struct LeftOut {
  const berth_pod* pod;
  uint32_t row;
  Rejection rejection;  // of the row with the pod on it; plugin null: no Filter plugin was asked about it
};

// Of one trial.
class LeftOutPods {
 public:
  void Clear();
  void Removed(const berth_pod& pod, uint32_t row);
  void Added(const berth_pod& pod);
  void Rejected(uint32_t row, const Rejection& rejection) { last_ = {row, rejection}; }
  void Accepted();

  // When Filter last accepted a row; empty if it never did. With rejections that came later.
  std::span<const LeftOut> pods();

 private:
  struct LastRejection {
    uint32_t row = 0;
    Rejection rejection;
  };
  std::vector<LeftOut> now_, accepted_;
  std::vector<const berth_pod*> guests_;  // that were added, and not left out before
  LastRejection last_;                    // since the last change
};

// Of the trials of one PostFilter plugin, each closed.
class LeftOutByTrial {
 public:
  // Later trials are not kept when there are so many pods; the attempt then has no victims to show.
  static constexpr size_t kMaxPods = 4096;

  void Clear() {
    pods_.clear();
    ends_.clear();
  }
  void Keep(std::span<const LeftOut> trial);  // allocates at the first use only
  // Of the last trial that left a pod of this row out; empty if there is none.
  std::span<const LeftOut> Of(uint32_t row) const;

 private:
  std::span<const LeftOut> GroupOf(size_t pod) const;

  std::vector<LeftOut> pods_;
  std::vector<size_t> ends_;  // of each trial in pods_
};

}  // namespace berth::framework
