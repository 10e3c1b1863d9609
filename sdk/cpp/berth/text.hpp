// Text and ids as they cross the ABI. Views are borrowed: they live as long as the object that they were read from (see
// abi.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "berth/berth.h"

namespace berth::sdk {

// An interned string: equal ids <=> equal strings. 0 is absent, kEmptyId is "".
using Id = berth_id;
inline constexpr Id kNoId = BERTH_ID_ABSENT;
inline constexpr Id kEmptyId = BERTH_ID_EMPTY;

// The C++ view of borrowed text; never a null pointer.
inline std::string_view View(berth_str text) {
  return text.len == 0 ? std::string_view("") : std::string_view(text.ptr, static_cast<size_t>(text.len));
}

// The C view of text that outlives the call that gets it.
inline berth_str Borrow(std::string_view text) { return {text.data(), text.size()}; }

namespace detail {

// A string literal as a template argument.
template <size_t N>
struct Literal {
  char text[N];
  consteval Literal(const char (&literal)[N]) {  // NOLINT: meant to convert
    for (size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
};

}  // namespace detail
}  // namespace berth::sdk
