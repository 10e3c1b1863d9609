#include "scheduler/framework/left_out.h"

#include <algorithm>

namespace berth::framework {

void LeftOutPods::Clear() {
  now_.clear();
  accepted_.clear();
  guests_.clear();
  last_ = {};
}

void LeftOutPods::Removed(const berth_pod& pod, uint32_t row) {
  const LastRejection last = last_;
  last_ = {};
  if (std::erase(guests_, &pod) > 0) return;
  now_.push_back({&pod, row, last.row == row ? last.rejection : Rejection()});
}

void LeftOutPods::Added(const berth_pod& pod) {
  last_ = {};
  if (std::erase_if(now_, [&](const LeftOut& one) { return one.pod == &pod; }) == 0) guests_.push_back(&pod);
}

void LeftOutPods::Accepted() {
  last_ = {};
  accepted_ = now_;
}

std::span<const LeftOut> LeftOutPods::pods() {
  for (LeftOut& one : accepted_) {
    const auto later = std::find_if(now_.begin(), now_.end(), [&](const LeftOut& n) { return n.pod == one.pod; });
    if (later != now_.end()) one.rejection = later->rejection;
  }
  return accepted_;
}

void LeftOutByTrial::Keep(std::span<const LeftOut> trial) {
  if (trial.empty() || pods_.size() + trial.size() > kMaxPods) return;
  pods_.reserve(kMaxPods);
  ends_.reserve(kMaxPods);
  pods_.insert(pods_.end(), trial.begin(), trial.end());
  ends_.push_back(pods_.size());
}

std::span<const LeftOut> LeftOutByTrial::Of(uint32_t row) const {
  for (size_t i = pods_.size(); i-- > 0;) {
    if (pods_[i].row == row) return GroupOf(i);
  }
  return {};
}

std::span<const LeftOut> LeftOutByTrial::GroupOf(size_t pod) const {
  size_t group = 0;
  while (ends_[group] <= pod) ++group;
  const size_t begin = group == 0 ? 0 : ends_[group - 1];
  return std::span(pods_).subspan(begin, ends_[group] - begin);
}

}  // namespace berth::framework
