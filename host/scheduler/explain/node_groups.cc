#include "scheduler/explain/node_groups.h"

#include <algorithm>

namespace berth::explain {
namespace {

std::vector<Group> EmptyGroups(const decisions::Rejection& rejection) {
  std::vector<Group> groups;
  for (const std::string& reason : rejection.reasons) {
    groups.push_back({.plugin = rejection.plugin, .code = rejection.code, .reason = reason});
  }
  if (groups.empty()) groups.push_back({.plugin = rejection.plugin, .code = rejection.code});
  return groups;
}

// Rejections that differ in their other reasons have a group in common.
Group& Merge(std::vector<Group>& groups, Group group) {
  auto same = [&](const Group& g) {
    return g.plugin == group.plugin && g.code == group.code && g.reason == group.reason;
  };
  auto it = std::find_if(groups.begin(), groups.end(), same);
  return it != groups.end() ? *it : groups.emplace_back(std::move(group));
}

std::vector<std::vector<uint32_t>> RowsByRejection(const decisions::NodeTable& table) {
  std::vector<std::vector<uint32_t>> rows(table.rejections.size());
  for (uint32_t row = 0; row < table.n_rows(); ++row) {
    const int64_t verdict = table.verdicts.At(row);
    if (verdict > decisions::NodeTable::kPassed) rows[static_cast<size_t>(verdict - 1)].push_back(row);
  }
  return rows;
}

void AddExamples(const decisions::NodeTable& table, Group& group) {
  for (size_t i = 0; i < std::min(kMaxExamples, group.rows.size()); ++i) {
    group.examples.emplace_back(table.NameOf(group.rows[i]));
  }
}

}  // namespace

std::vector<Group> GroupsOf(const decisions::NodeTable& table) {
  std::vector<Group> groups;
  const std::vector<std::vector<uint32_t>> rows = RowsByRejection(table);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].empty()) continue;
    for (Group& one : EmptyGroups(table.rejections[i])) {
      Group& group = Merge(groups, std::move(one));
      group.rows.insert(group.rows.end(), rows[i].begin(), rows[i].end());
      group.nodes = static_cast<uint32_t>(group.rows.size());
    }
  }
  for (Group& group : groups) AddExamples(table, group);
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.nodes > b.nodes; });
  return groups;
}

}  // namespace berth::explain
