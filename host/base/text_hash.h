// Hash tables by a text that others choose, such as the name of a pod. Nobody can choose texts whose hashes are equal
// (seeded_hash.h), so the order of a table differs between processes. A table finds a string_view without a copy.
// Thread: any.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/seeded_hash.h"

namespace berth::base {

// With std::equal_to<> as the table's KeyEqual.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return SeededHash(text); }
};

template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

}  // namespace berth::base
