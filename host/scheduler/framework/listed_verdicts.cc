#include "scheduler/framework/listed_verdicts.h"

#include <cstring>

#include "base/wide.h"

namespace berth::framework {

uint64_t BytesOf(const berth_verdict& verdict) {
  uint64_t bytes;
  static_assert(sizeof bytes == sizeof verdict);
  std::memcpy(&bytes, &verdict, sizeof bytes);
  return bytes;
}

BERTH_WIDE Rejected64 FindRejected64(const berth_verdict* verdicts, uint64_t known) {
  constexpr uint64_t kOnes = 0x0101010101010101, kGather = 0x0102040810204080;
  static_assert(BERTH_SUCCESS == 0);
  alignas(64) uint64_t bytes[64];
  std::memcpy(bytes, verdicts, sizeof bytes);
  uint64_t code;  // the mask of the byte `code`
  berth_verdict only_code{};
  only_code.code = 0xFF;
  std::memcpy(&code, &only_code, sizeof code);
  uint64_t any = 0;
  for (size_t i = 0; i < 64; ++i) any |= bytes[i];
  if ((any & code) == 0) return {};
  alignas(64) uint8_t rejected[64];
  uint64_t other = 0;
  for (size_t i = 0; i < 64; ++i) {
    const bool is = (bytes[i] & code) != 0;
    rejected[i] = is;
    other |= is ? bytes[i] ^ known : 0;
  }
  Rejected64 found{0, other != 0};
  for (size_t i = 0; i < 8; ++i) {
    uint64_t eight;
    std::memcpy(&eight, rejected + i * 8, sizeof eight);
    found.rows |= ((eight & kOnes) * kGather >> 56) << (i * 8);
  }
  return found;
}

}  // namespace berth::framework
