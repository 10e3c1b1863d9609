// The results of the calls under test, as plain values that a test can compare and print.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "berth/abi.h"
#include "berth/args.hpp"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

const char* CodeName(berth_status code);

// A status or a verdict with its reasons.
struct Outcome {
  berth_status code = BERTH_SUCCESS;
  Texts reasons;

  bool ok() const { return code == BERTH_SUCCESS; }
  bool operator==(const Outcome&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& outcome);
};

// PreFilter: the names are sorted; narrowed distinguishes "no node" from "every node".
struct PreFilterOutcome : Outcome {
  bool narrowed = false;
  Texts names;
};

// Filter: the call's own status, and the verdict per node name.
struct FilterOutcome : Outcome {
  std::map<std::string, Outcome> nodes;
};

// Score and Normalize: the call's own status, and the score per node name.
using Scores = std::map<std::string, int64_t>;
struct ScoreOutcome : Outcome {
  bool uniform = false;
  Scores nodes;
};

struct PermitOutcome : Outcome {
  std::chrono::nanoseconds wait{0};
};

// PostFilter: mode is BERTH_NOMINATE_*.
struct PostFilterOutcome : Outcome {
  uint32_t mode = 0;
  std::string node;
};

// The result of completing or checking args.
struct ArgsOutcome {
  std::string json;
  std::vector<ArgsError> errors;
  // "path: text" per error, or just the text.
  Texts Errors() const;
};

// One registration for events.
struct InterestOutcome {
  std::string resource;
  uint32_t actions;
  bool hint;
  bool operator==(const InterestOutcome&) const = default;
};

}  // namespace berth::sdk::testing
