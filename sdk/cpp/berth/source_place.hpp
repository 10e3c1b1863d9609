// Where in the source a call stands, as a default argument: void Info(..., SourcePlace at = SourcePlace::Here());
// std::source_location, were it there for every compiler that builds plugins: clang has none with libstdc++ before 16.
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
