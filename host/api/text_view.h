// Conversions between the ABI's texts and std::string_view. Thread: any. Ownership: none; the text must outlive the
// view.
#pragma once

#include <string_view>

#include "berth/abi.h"

namespace berth::api {

inline std::string_view View(berth_str text) { return {text.ptr, static_cast<size_t>(text.len)}; }
inline berth_str Borrow(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace berth::api
