// Where in the source a call stands, as a default argument. std::source_location, were it there for every compiler we
// use: clang, which runs our fuzzers and checks, has none with this libstdc++. Thread: a value.
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
