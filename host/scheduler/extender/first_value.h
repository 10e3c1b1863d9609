// The first JSON value of a text. Go's json.Decoder also reads only the first value of a body.
// Thread: any; pure.
#pragma once

#include <string_view>

namespace berth::extender {

// Returns the value without surrounding space; empty if there is no value or its end is missing. The inside of the
// value is not validated.
std::string_view FirstValue(std::string_view text);

}  // namespace berth::extender
