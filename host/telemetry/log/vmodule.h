// The --vmodule setting: the verbosity of each file. Source: klog's flag of the same name, with this project's file
// extensions. Thread: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::log {

// "/src/engine/engine.cc" -> "engine.cc"
std::string_view BaseName(std::string_view file);

class VModule {
 public:
  // "engine=4,plugin*=5": comma-separated pattern=N, N >= 0; empty items and N = 0 are ignored.
  static base::Result<VModule> Parse(std::string_view setting);

  bool empty() const { return levels_.empty(); }
  // The level of the first pattern that matches the file's name without directories and extension; 0: no match.
  int LevelOf(std::string_view file) const;

 private:
  struct Level {
    std::string pattern;
    int level;
  };
  std::vector<Level> levels_;
};

}  // namespace berth::log
