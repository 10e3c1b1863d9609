// UTF-8 of RFC 3629, for writers that must write nothing else and readers that must reject the rest. Thread: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::json {

// The length in bytes of the valid sequence at the start of text; 0 when there is none (empty, cut, overlong, a
// surrogate).
size_t SequenceLength(std::string_view text);

// Whether text consists of valid sequences; true if it is empty.
bool IsUtf8(std::string_view text);

// text with U+FFFD for each byte that is not part of a valid sequence, as in Go's encoding/json.
std::string ToUtf8(std::string_view text);

}  // namespace berth::json
