// Hashes of texts that others choose, such as names of pods: the seed differs in each process, so that nobody can
// choose texts whose hashes are equal. The hashes must not decide anything that somebody sees, such as an order.
// Thread: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::base {

uint32_t SeededHash(std::string_view text);

}  // namespace berth::base
