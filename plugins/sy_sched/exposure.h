// The pods of each row by confinement, and how exposed they and a new pod would be to each other's system calls.
//
// The score of upstream is the number of calls that others may make and the pod itself may not, summed up over the new
// pod and the pods of the node. Every pod's calls are among those of all (n of them), so that is n for each pod,
// without its own calls. Source: Score of pkg/sysched/sysched.go of kubernetes-sigs/scheduler-plugins. Thread: serial;
// any for With.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "confinements.h"
#include "syscall_set.h"

namespace plugins::sy_sched {

class Exposure {
 public:
  explicit Exposure(const Confinements& confinements) : confinements_(confinements) {}

  void Add(uint32_t row, Confinements::Number confinement) {
    if (row >= rows_.size()) rows_.resize(size_t{row} + 1);
    ++rows_[row].pods[confinement];
    Fill(rows_[row]);
  }
  void Remove(uint32_t row, Confinements::Number confinement) {
    auto& pods = rows_[row].pods;
    if (const auto at = pods.find(confinement); --at->second == 0) pods.erase(at);
    Fill(rows_[row]);
  }
  // A profile has changed.
  void Refresh() {
    for (Row& row : rows_) Fill(row);
  }

  // With one more pod, which makes these calls.
  int64_t With(uint32_t row, const SyscallSet& calls, int64_t count) const {
    if (row >= rows_.size()) return 0;
    const Row& there = rows_[row];
    return there.calls.CountWith(calls) * (there.n_pods + 1) - there.sum - count;
  }

 private:
  struct Row {
    std::map<Confinements::Number, uint32_t> pods;
    SyscallSet calls;  // of all pods
    int64_t n_pods = 0;
    int64_t sum = 0;  // how many calls each pod may make, over all pods
  };

  void Fill(Row& row) const {
    row.calls = {};
    row.n_pods = row.sum = 0;
    for (const auto& [confinement, count] : row.pods) {
      row.calls.Add(confinements_.CallsOf(confinement));
      row.n_pods += count;
      row.sum += confinements_.Count(confinement) * count;
    }
  }

  const Confinements& confinements_;
  std::vector<Row> rows_;
};

}  // namespace plugins::sy_sched
