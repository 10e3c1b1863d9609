// UTF-8 as RFC 3629 has it, for writers that must not emit anything else and readers that must refuse it. Thread: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace berth::json {

// Bytes of the valid sequence at the start of text; 0 when there is none (empty, cut short, overlong, a surrogate).
size_t SequenceLength(std::string_view text);

}  // namespace berth::json
