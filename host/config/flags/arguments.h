// Normalizes command lines. Thread: any; pure functions.
#pragma once

#include <string>
#include <vector>

namespace berth::flags {

// argv without argv[0].
std::vector<std::string> Arguments(int argc, char** argv);

// Converts the spellings that kube-scheduler's flags allow into the one that the parser knows: `-v=4` becomes `-v4`,
// and `_` in long names becomes `-`. Arguments after `--` do not change.
std::vector<std::string> Normalized(std::vector<std::string> arguments);

}  // namespace berth::flags
