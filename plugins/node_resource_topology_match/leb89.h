// Numbers in printable characters, as agents write them: 64 characters end a number, 25 others precede them. Source:
// leb89 of k8stopologyawareschedwg/numaplacement. Pure; thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plugins::node_topology {

class Leb89 {
 public:
  explicit Leb89(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  // nullopt: the following text is no number.
  std::optional<uint64_t> Next() {
    uint64_t leading = 0;
    bool led = false;
    while (!text_.empty() && leading <= kMostLeading) {
      const int digit = kDigits[static_cast<unsigned char>(text_.front())];
      text_.remove_prefix(1);
      if (digit < 0) return std::nullopt;
      if (digit < kLast) return static_cast<uint64_t>(digit) + (led ? kLast + leading * kLast : 0);
      leading = leading * kLeading + static_cast<uint64_t>(digit - kLast);
      led = true;
    }
    return std::nullopt;
  }

 private:
  static constexpr int kLast = 64, kLeading = 25;
  static constexpr uint64_t kMostLeading = uint64_t{1} << 32;

  // JSON escapes the characters that are left out.
  static constexpr std::array<int16_t, 256> Digits() {
    std::array<int16_t, 256> digits{};
    int16_t next = 0;
    for (size_t c = 0; c < digits.size(); ++c) {
      const bool plain = c > 0x20 && c < 0x7f && c != '"' && c != '&' && c != '<' && c != '>' && c != '\\';
      digits[c] = plain ? next++ : int16_t{-1};
    }
    return digits;
  }
  static const std::array<int16_t, 256> kDigits;

  std::string_view text_;
};

inline constexpr std::array<int16_t, 256> Leb89::kDigits = Leb89::Digits();

}  // namespace plugins::node_topology
