// Hashes of texts that others choose, such as names of pods: the seed differs in each process, so that nobody can
// choose texts whose hashes are equal. The hashes must not decide anything that somebody sees, such as an order.
// Thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace berth::base {

uint32_t SeededHash(std::string_view text);

// Stands for a text that is only compared: different texts have the same digest with a probability of about 2^-120.
struct TextDigest {
  std::array<uint64_t, 2> words{};
  bool operator==(const TextDigest&) const = default;
};
TextDigest SeededDigest(std::string_view text);

}  // namespace berth::base
