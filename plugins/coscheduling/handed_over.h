// What an instance passes to the one that replaces it: when groups failed and until when they back off, and the stage
// of each open attempt. Text, one line per group:
//   NAMESPACE/NAME LAST_FAILED PERMITTED_UNTIL BACKED_OFF_UNTIL SHORT_OF_ROOM
// with wall clock times in nanoseconds, or "-". Thread: [serial].
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "groups.h"

namespace plugins::coscheduling {

namespace handed_over_detail {

inline std::string Word(int64_t time) { return time == kNever ? "-" : std::to_string(time); }

// Removes the first word from the line.
inline std::string_view TakeWord(std::string_view& line) {
  const size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}
inline int64_t TakeTime(std::string_view& line) {
  const std::string_view word = TakeWord(line);
  int64_t time = kNever;
  std::from_chars(word.data(), word.data() + word.size(), time);
  return time;
}

inline void LoadLine(Groups& groups, std::string_view line) {
  const std::string_view full = TakeWord(line);
  const size_t slash = full.find('/');
  if (slash == full.npos) return;
  const auto key = groups.Find(full.substr(0, slash), full.substr(slash + 1));
  if (!key) return;
  const int64_t failed = TakeTime(line), permitted = TakeTime(line), backed_off = TakeTime(line);
  groups.With(*key, [&](Group& group) {
    if (failed != kNever) group.last_failed = failed;
    group.permitted_until = permitted;
    group.backed_off_until = backed_off;
    group.short_of_room = line == "1";
  });
}

}  // namespace handed_over_detail

inline std::string SaveGroups(Groups& groups) {
  using handed_over_detail::Word;
  std::string text;
  groups.Each([&](Groups::Key, const Group& group) {
    const int64_t failed = group.last_failed.value_or(kNever);
    if (failed == kNever && group.permitted_until == kNever && group.backed_off_until == kNever) return;
    text += groups.FullName(group) + " " + Word(failed) + " " + Word(group.permitted_until) + " " +
            Word(group.backed_off_until) + (group.short_of_room ? " 1\n" : " 0\n");
  });
  return text;
}

// Ignores lines of deleted groups, and lines that it cannot read.
inline void LoadGroups(Groups& groups, std::string_view state) {
  while (!state.empty()) {
    const size_t end = std::min(state.find('\n'), state.size());
    handed_over_detail::LoadLine(groups, state.substr(0, end));
    state.remove_prefix(std::min(end + 1, state.size()));
  }
}

inline std::string DescribeMember(Groups& groups, const Pod& pod) {
  std::string stage;
  groups.With(pod, [&](const Group& group) {
    const auto at = group.members.find(std::string(pod.uid()));
    if (at != group.members.end()) stage = static_cast<char>(at->second.stage);
  });
  return stage;
}

// true: the pod is a member of its group now.
inline bool AdoptMember(Groups& groups, const Pod& pod, std::string_view node, std::string_view state) {
  if (state.empty() || std::string_view("wrx").find(state[0]) == std::string_view::npos) return false;
  return groups.With(pod, [&](Group& group) {
    group.members.insert_or_assign(std::string(pod.uid()), Member{static_cast<Stage>(state[0]), std::string(node)});
  });
}

}  // namespace plugins::coscheduling
