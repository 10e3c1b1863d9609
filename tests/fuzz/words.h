// The intern tables that all inputs of one target share, because creating them takes longer than decoding a pod.
// Thread: one. Lives as long as the process.
#pragma once

#include "api/intern_tables.h"
#include "require.h"

inline berth::api::InternTables& Words() {
  static berth::api::InternTables words;
  return words;
}

// Call this at the end of an input, when nothing of it is held: no block and no text of it may be left.
inline void RequireNothingLeft() {
  berth::api::InternTables& words = Words();
  static const size_t own_texts = berth::api::InternTables().ids.size();
  Require(words.blocks.size() == 0, "no block is left");
  for (int epoch = 0; epoch < 3; ++epoch) words.ids.EndEpoch();
  Require(words.ids.size() == own_texts, "no text is left");
}
