// Recorded decisions for the tests of what-if: nodes with scores that a reader can add up by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/decisions/decision.h"

namespace berth::what_if {

struct ScoreColumn {
  std::string plugin;
  int64_t weight = 1;  // 0: an extender
  std::vector<int64_t> normalized;
};

struct Recorded {
  std::string node;                // "": unschedulable
  std::vector<std::string> nodes;  // that passed or were rejected, in row order
  std::vector<ScoreColumn> scores = {};
  std::vector<std::string> rejected_by = {};  // by row; "": it passed; "-": not examined
  std::string pod = "default/web";
};

std::shared_ptr<const decisions::Decision> Make(const Recorded& recorded);

}  // namespace berth::what_if
