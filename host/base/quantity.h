// Kubernetes quantities ("100m", "1.5Gi", "12e6") as exact integers of nanounits.
// Source of the rules: k8s.io/apimachinery/pkg/api/resource/quantity.go. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::base {

class Quantity {
 public:
  Quantity() = default;
  static Quantity FromUnits(int64_t units) { return Quantity(static_cast<__int128>(units) * kNano); }
  static Quantity FromMilli(int64_t milli) { return Quantity(static_cast<__int128>(milli) * (kNano / 1000)); }

  // Digits below 1e-9 are rounded up (away from zero). As upstream, values with a binary suffix are capped at
  // +-(2^63-1) units; decimal values are capped at 1e28 units here and not capped upstream. Errors: the three messages
  // of upstream.
  static Result<Quantity> Parse(std::string_view text);

  // Rounded away from zero, like Quantity.Value and Quantity.MilliValue; capped at the limits of int64 (upstream
  // returns 0 or a wrong number there).
  int64_t Value() const { return Scaled(kNano); }
  int64_t MilliValue() const { return Scaled(kNano / 1000); }
  bool IsZero() const { return nano_ == 0; }
  bool IsWholeUnits() const { return nano_ % kNano == 0; }
  bool IsWholeMilli() const { return nano_ % (kNano / 1000) == 0; }
  int Sign() const { return nano_ < 0 ? -1 : nano_ > 0; }

  // Saturate at about 1.7e29 units.
  Quantity operator+(Quantity other) const {
    __int128 sum;
    return Quantity(__builtin_add_overflow(nano_, other.nano_, &sum) ? Limit(nano_ < 0) : sum);
  }
  Quantity operator-(Quantity other) const { return *this + Quantity(-other.nano_); }
  Quantity& operator+=(Quantity other) { return *this = *this + other; }
  auto operator<=>(const Quantity&) const = default;

 private:
  static constexpr int64_t kNano = 1'000'000'000;
  explicit Quantity(__int128 nano) : nano_(nano) {}
  static __int128 Limit(bool negative) {
    const __int128 limit = ~(static_cast<__int128>(1) << 127);
    return negative ? -limit : limit;
  }
  int64_t Scaled(int64_t unit) const;

  __int128 nano_ = 0;
};

}  // namespace berth::base
