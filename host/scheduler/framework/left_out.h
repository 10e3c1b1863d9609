// The pods that the trials of an attempt have left out. If a PostFilter plugin nominates the pod to the row of a trial,
// they are its victims: the host learns them without a plugin's help.
// Thread: scheduling thread, during a cycle. Ownership: pods belong to the snapshot, and outlive the cycle.
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
  void Clear() {
    pods_.clear();
    last_ = {};
  }
  void Removed(const berth_pod& pod, uint32_t row) {
    pods_.push_back({&pod, row, last_});
    last_ = {};
  }
  void Added(const berth_pod& pod) {
    last_ = {};
    for (size_t i = pods_.size(); i-- > 0;) {
      if (pods_[i].pod != &pod) continue;
      pods_.erase(pods_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
  void Filtered(const Rejection& rejection) { last_ = rejection; }
  std::span<const LeftOut> pods() const { return pods_; }

 private:
  std::vector<LeftOut> pods_;
  Rejection last_;  // since the last change
};

// Of all trials of an attempt, each closed.
class LeftOutByTrial {
 public:
  void Clear() {
    pods_.clear();
    ends_.clear();
  }
  void Keep(std::span<const LeftOut> trial) {
    if (trial.empty()) return;
    pods_.insert(pods_.end(), trial.begin(), trial.end());
    ends_.push_back(pods_.size());
  }
  // Of the last trial that left a pod of this row out; empty if there is none.
  std::span<const LeftOut> Of(uint32_t row) const {
    for (size_t i = pods_.size(); i-- > 0;) {
      if (pods_[i].row == row) return GroupOf(i);
    }
    return {};
  }

 private:
  std::span<const LeftOut> GroupOf(size_t pod) const {
    size_t group = 0;
    while (ends_[group] <= pod) ++group;
    const size_t begin = group == 0 ? 0 : ends_[group - 1];
    return std::span(pods_).subspan(begin, ends_[group] - begin);
  }

  std::vector<LeftOut> pods_;
  std::vector<size_t> ends_;  // of each trial in pods_
};

}  // namespace berth::framework
