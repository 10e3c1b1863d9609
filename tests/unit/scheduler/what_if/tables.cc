#include "tables.h"

#include "base/clock.h"
#include "base/row_log.h"
#include "scheduler/decisions/node_table_writer.h"

namespace berth::what_if {

using decisions::NodeTable;

std::shared_ptr<const decisions::Decision> Make(const Recorded& recorded) {
  const auto n = static_cast<uint32_t>(recorded.nodes.size());
  base::VirtualClock clock(0);
  decisions::NodeTableWriter writer(clock, std::make_shared<decisions::MemoryMeter>());
  base::RowLog arrivals;
  writer.Begin(n);
  writer.UpdateNames(arrivals, n, [&](uint32_t row) -> std::string_view { return recorded.nodes[row]; });
  for (uint32_t row = 0; row < n; ++row) {
    const std::string by = recorded.rejected_by.empty() ? "" : recorded.rejected_by[row];
    if (by.empty()) writer.verdicts()[row] = NodeTable::kPassed;
    if (!by.empty() && by != "-") writer.verdicts()[row] = writer.NumberOf(by, plugin::Code::kUnschedulable, {"no"});
  }
  for (const ScoreColumn& one : recorded.scores) {
    std::vector<int64_t> weighted = one.normalized;
    for (int64_t& value : weighted) value *= one.weight == 0 ? 1 : one.weight;
    writer.AddScores(one.plugin, weighted, one.weight);
  }
  if (!recorded.scores.empty()) writer.SetScored(0);
  auto decision = std::make_shared<decisions::Decision>();
  decision->id = 7;
  decision->pod = recorded.pod;
  decision->uid = recorded.pod;
  decision->node = recorded.node;
  if (!recorded.node.empty()) decision->result = decisions::Result::kScheduled;
  decision->nodes = writer.Finish();
  return decision;
}

}  // namespace berth::what_if
