#include "scheduler/what_if/impact.h"

namespace berth::what_if {
namespace {

using json::Value;

Value Number(size_t number) { return Value(static_cast<int64_t>(number)); }

Value TotalsJson(const Totals& totals) {
  return Value::MakeObject({{"before", totals.before}, {"after", totals.after}});
}

Value MoveJson(const Move& move) {
  Value out = Value::MakeObject({{"pod", move.pod}, {"from", move.from}, {"to", move.to}});
  if (move.decision != 0) {
    out.Set("decision", Number(move.decision));
    out.Set("fromTotal", TotalsJson(move.of_from));
    out.Set("toTotal", TotalsJson(move.of_to));
    out.Set("ties", Number(move.ties));
    out.Set("unknownNodes", Number(move.unknown_nodes));
  }
  return out;
}

Value InexactJson(const Move& move) {
  return Value::MakeObject({{"pod", move.pod},
                            {"from", move.from},
                            {"decision", Number(move.decision)},
                            {"unknownNodes", Number(move.unknown_nodes)}});
}

Value ListJson(const std::vector<Move>& moves, Value (*one_json)(const Move&)) {
  json::Array out;
  for (const Move& one : moves) out.push_back(one_json(one));
  return Value(std::move(out));
}

Value UtilizationJson(const Utilization& one) {
  return Value::MakeObject({{"mean", one.mean}, {"deviation", one.deviation}});
}

Value FiguresJson(const Figures& figures, bool nodes_known) {
  Value out = Value::MakeObject(
      {{"nodesUsed", Number(figures.nodes_used)}, {"mostPodsOnANode", Number(figures.most_pods_on_a_node)}});
  json::Array zones;
  for (const auto& [zone, pods] : figures.pods_by_zone) {
    zones.push_back(Value::MakeObject({{"zone", zone}, {"pods", Number(pods)}}));
  }
  out.Set("zones", std::move(zones));
  if (!nodes_known) return out;
  out.Set("cpu", UtilizationJson(figures.cpu));
  out.Set("memory", UtilizationJson(figures.memory));
  out.Set("podsWithoutRequests", Number(figures.pods_without_requests));
  return out;
}

}  // namespace

Value ImpactJson(const Impact& impact) {
  const bool nodes_known = impact.known_nodes != 0;
  return Value::MakeObject({{"decisions", Value::MakeObject({{"lookedAt", Number(impact.looked_at)},
                                                             {"moving", Number(impact.moves.size())},
                                                             {"unchanged", Number(impact.unchanged)},
                                                             {"tied", Number(impact.ties)},
                                                             {"notExact", Number(impact.inexact.size())},
                                                             {"withoutNodes", Number(impact.without_table)}})},
                            {"moves", ListJson(impact.moves, MoveJson)},
                            {"notExact", ListJson(impact.inexact, InexactJson)},
                            {"before", FiguresJson(impact.before, nodes_known)},
                            {"after", FiguresJson(impact.after, nodes_known)}});
}

}  // namespace berth::what_if
