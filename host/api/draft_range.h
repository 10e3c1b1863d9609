// The small pieces that every draft is made of; see draft.h.
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

// One line of matchExpressions or matchFields, of label and node selectors alike.
struct RequirementDraft {
  std::string_view key, op;
  Range values;
};

}  // namespace berth::api
