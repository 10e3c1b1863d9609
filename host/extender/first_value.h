// Where the first JSON value of a text ends: Go's json.Decoder reads that far and does not look further.
// Thread: any; pure.
#pragma once

#include <string_view>

namespace berth::extender {

// The value without what stands around it; empty when there is none or its end is missing. What is inside is not
// checked.
std::string_view FirstValue(std::string_view text);

}  // namespace berth::extender
