// The source position of a call, as a default argument. It replaces std::source_location, which clang with this
// libstdc++ does not have; fuzzers and static checks use clang. Thread: a value.
#pragma once

namespace berth::log {

struct SourcePlace {
  const char* file;
  int line;
  static constexpr SourcePlace Here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace berth::log
