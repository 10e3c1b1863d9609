// Spelling of command lines. Thread: any; pure functions.
#pragma once

#include <string>
#include <vector>

namespace berth::flags {

// argv without argv[0].
std::vector<std::string> Arguments(int argc, char** argv);

// Arguments as kube-scheduler's flags allow them, in the one spelling that the parser knows: `-v=4` as `-v4` and `_` as
// `-` in long names. What stands behind `--` is left alone.
std::vector<std::string> Normalized(std::vector<std::string> arguments);

}  // namespace berth::flags
