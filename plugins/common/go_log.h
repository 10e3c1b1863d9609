// Go's natural logarithm on amd64, exact to the last bit. One in a hundred integers gives another last bit in libm,
// whose result depends on the processor. Source: math/log_amd64.s, which is FreeBSD's e_log.c. berth_add_plugin
// compiles it without fused multiply-add. Thread: any.
#pragma once

#include <cmath>
#include <cstdint>

namespace plugins {

// x is finite and > 0.
inline double GoLog(double x) {
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  constexpr double kHalfRoot = 7.07106781186547524401e-01;  // sqrt(2) / 2
  int exponent = 0;
  double f = std::frexp(x, &exponent);
  if (f < kHalfRoot) f *= 2, --exponent;
  f -= 1;
  const double k = exponent, s = f / (2 + f), s2 = s * s, s4 = s2 * s2;
  const double odd =
      s2 * (6.666666666666735130e-01 +
            s4 * (2.857142874366239149e-01 + s4 * (1.818357216161805012e-01 + s4 * 1.479819860511658591e-01)));
  const double even = s4 * (3.999999999940941908e-01 + s4 * (2.222219843214978396e-01 + s4 * 1.531383769920937332e-01));
  const double half = 0.5 * f * f;
  return k * kLn2High - ((half - (s * (half + (odd + even)) + k * kLn2Low)) - f);
}

// math.Round for results within int64: halves away from zero.
inline int64_t GoRound(double x) {
  const auto whole = static_cast<int64_t>(x);
  const double rest = x - static_cast<double>(whole);  // exact
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

}  // namespace plugins
