// The assertion of all fuzz targets. Thread: any.
#pragma once

#include <cstdio>
#include <cstdlib>

// Ends the process if the condition is false, so that libFuzzer keeps the input.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}
