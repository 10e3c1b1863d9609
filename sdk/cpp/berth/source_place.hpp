// The source position of a call, as a default argument: void Info(..., SourcePlace at = SourcePlace::Here());
// It replaces std::source_location, which not every compiler for plugins has: clang lacks it with libstdc++ before 16.
#pragma once

#include <cstdint>

namespace berth::sdk {

struct SourcePlace {
  const char* file;
  int32_t line;
  static constexpr SourcePlace Here(const char* file = __builtin_FILE(), int32_t line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace berth::sdk
