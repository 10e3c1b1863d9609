// Lets an unordered map of strings find a string_view without a copy. Thread: any.
#pragma once

#include <functional>
#include <string_view>

namespace berth::base {

// With std::equal_to<> as the map's KeyEqual.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace berth::base
