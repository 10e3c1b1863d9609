// Ranges and other small parts of drafts; see draft.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::api {

struct Range {
  uint32_t begin = 0, end = 0;
  uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
};

struct TextPair {
  std::string_view key, value;
};

// One entry of matchExpressions or matchFields, of a label selector or node selector.
struct RequirementDraft {
  std::string_view key, op;
  Range values;
};

}  // namespace berth::api
