// What calls under test answer, as plain values that compare and print.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "berth/abi.h"
#include "berth/args.hpp"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

inline const char* CodeName(berth_status code) {
  switch (code) {
    case BERTH_SUCCESS: return "SUCCESS";
    case BERTH_ERROR: return "ERROR";
    case BERTH_UNSCHEDULABLE: return "UNSCHEDULABLE";
    case BERTH_UNRESOLVABLE: return "UNRESOLVABLE";
    case BERTH_WAIT: return "WAIT";
    case BERTH_SKIP: return "SKIP";
    case BERTH_PENDING: return "PENDING";
    case BERTH_LATER: return "LATER";
    case BERTH_UNIFORM: return "UNIFORM";
    default: return "an unknown code";
  }
}

// A status or a verdict with its reasons.
struct Outcome {
  berth_status code = BERTH_SUCCESS;
  Texts reasons;

  bool ok() const { return code == BERTH_SUCCESS; }
  bool operator==(const Outcome&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    out << CodeName(outcome.code);
    for (const std::string& reason : outcome.reasons) out << " \"" << reason << '"';
    return out;
  }
};

// PreFilter: the names are sorted; narrowed tells "no node" from "every node".
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

// Completing or checking args.
struct ArgsOutcome {
  std::string json;
  std::vector<ArgsError> errors;
  // "path: text" per error, or just the text.
  Texts Errors() const {
    Texts texts;
    for (const ArgsError& error : errors) {
      texts.push_back(error.path.empty() ? error.text : error.path + ": " + error.text);
    }
    return texts;
  }
};

// One registration for events.
struct InterestOutcome {
  std::string resource;
  uint32_t actions;
  bool hint;
  bool operator==(const InterestOutcome&) const = default;
};

}  // namespace berth::sdk::testing
