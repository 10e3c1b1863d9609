#include "scheduler/what_if/impact.h"

#include <utility>

namespace berth::what_if {
namespace {

using Fate = Replay::Fate;

Move MoveOf(const decisions::Decision& decision, Replay replay) {
  return {.decision = decision.id,
          .pod = decision.pod,
          .from = decision.node,
          .to = std::move(replay.to),
          .of_from = replay.of_recorded,
          .of_to = replay.of_chosen,
          .ties = replay.ties,
          .unknown_nodes = replay.unknown_nodes};
}

void Count(const decisions::Decision& decision, Replay replay, Impact& out) {
  ++out.looked_at;
  if (replay.fate == Fate::kMoves) {
    out.moves.push_back(MoveOf(decision, std::move(replay)));
  } else if (!replay.exact()) {
    out.inexact.push_back(MoveOf(decision, std::move(replay)));
  } else {
    ++out.unchanged;
    if (replay.ties > 1) ++out.ties;
  }
}

}  // namespace

Impact ImpactOf(const std::vector<DecisionRef>& decisions, const Target& target, const Facts& facts) {
  Impact out;
  out.known_nodes = facts.nodes.size();
  std::vector<Placement> before, after;
  for (const DecisionRef& one : decisions) {
    Replay replay = ReplayOf(*one, target);
    if (replay.fate == Fate::kNoTable) {
      ++out.without_table;
      continue;
    }
    if (replay.fate != Fate::kNoNode) {
      before.push_back({one->uid, one->node});
      after.push_back({one->uid, replay.fate == Fate::kMoves ? replay.to : one->node});
    }
    Count(*one, std::move(replay), out);
  }
  out.before = FiguresOf(before, facts);
  out.after = FiguresOf(after, facts);
  return out;
}

}  // namespace berth::what_if
