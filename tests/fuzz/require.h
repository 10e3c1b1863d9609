// What every fuzz target states with. Thread: any.
#pragma once

#include <cstdio>
#include <cstdlib>

// Ends the process, so that libFuzzer keeps the input, when what must hold does not.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}
