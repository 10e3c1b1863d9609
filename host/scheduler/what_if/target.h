// The policy to try on recorded decisions: a value. Thread: any.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace berth::what_if {

struct Target {
  // Every Score plugin that is enabled, with its weight. The scores of all other plugins do not count; those of
  // extenders always do. A plugin that a table does not have gave no scores: it skipped the pod in PreScore.
  std::map<std::string, int64_t, std::less<>> weights;
  std::set<std::string, std::less<>> without_filters;  // plugins that no longer reject nodes
};

}  // namespace berth::what_if
