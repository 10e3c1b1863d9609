// The ABI's texts and the library's, each as the other's view. Thread: any. Ownership: none; what is viewed must
// outlive it.
#pragma once

#include <string_view>

#include "berth/abi.h"

namespace berth::api {

inline std::string_view View(berth_str text) { return {text.ptr, static_cast<size_t>(text.len)}; }
inline berth_str Borrow(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace berth::api
