// A pod that an attempt evicts. Thread: any; values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::decisions {

struct Victim {
  std::string pod;  // "namespace/name"
  int32_t priority = 0;
  std::string plugin, reason;  // why the preemptor would not fit beside it; "": no Filter plugin was asked
  bool operator==(const Victim&) const = default;
};

inline constexpr size_t kMaxVictims = 16;  // that are recorded of an attempt

// A line for each victim, as many as fit into max bytes. Control characters of reasons become spaces.
std::string VictimLines(const std::vector<Victim>& victims, size_t max);
std::vector<Victim> VictimsOf(std::string_view lines);

}  // namespace berth::decisions
