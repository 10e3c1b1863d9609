// What a change of the policy does to many recorded decisions. The decisions are independent of each other: each one is
// computed on the state that it saw, in which the pods before it are where the scheduler has put them.
// Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/json/value.h"
#include "scheduler/decisions/decision.h"
#include "scheduler/what_if/placement_figures.h"
#include "scheduler/what_if/replay.h"

namespace berth::what_if {

// What every reader of an Impact must know.
inline constexpr const char* kIndependent =
    "The decisions are independent of each other: each one is computed on the state of the cluster that it saw, with "
    "the "
    "pods before it where the scheduler has put them.";

using DecisionRef = std::shared_ptr<const decisions::Decision>;

struct Move {
  uint64_t decision = 0;      // 0: of two simulations, which do not compare totals
  std::string pod, from, to;  // "": no node; without meaning in Impact::inexact: to
  Totals of_from = {}, of_to = {};
  uint32_t ties = 0;
  uint32_t unknown_nodes = 0;
};

struct Impact {
  uint32_t looked_at = 0;      // decisions that have a table
  uint32_t without_table = 0;  // others
  uint32_t unchanged = 0;      // stay, and are exact; with pods that still find no node
  uint32_t ties = 0;           // of unchanged: other nodes have the same total, so that another one may be drawn
  std::vector<Move> moves;     // exact or not, in the order of the decisions
  std::vector<Move> inexact;   // stay as far as the records show
  Figures before, after;
  size_t known_nodes = 0;  // of the facts

  // Whether the decisions are certain to stay as they are.
  bool nothing_moves() const { return moves.empty() && inexact.empty(); }
};

Impact ImpactOf(const std::vector<DecisionRef>& decisions, const Target& target, const Facts& facts);

// The members decisions, moves, notExact, before, and after of a PolicyDiff; docs/decisions.md describes them.
json::Value ImpactJson(const Impact& impact);

}  // namespace berth::what_if
