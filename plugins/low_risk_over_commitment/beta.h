// The beta distribution that fits an average and a deviation, as an estimate of the distribution of a resource's use.
// Pure; thread: any. Source: pkg/trimaran/lowriskovercommitment/beta.go of kubernetes-sigs/scheduler-plugins; the
// continued fraction is that of Abramowitz and Stegun 26.5.8.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

namespace plugins::low_risk {

// The largest variance that a value between 0 and 1 with this average can have.
inline double MostVariance(double mean) { return mean > 0 && mean < 1 ? mean * (1 - mean) : 0; }

class Beta {
 public:
  // Of positive parameters.
  static std::optional<Beta> Of(double alpha, double beta) {
    if (!(alpha > 0 && beta > 0)) return std::nullopt;
    return Beta(alpha, beta);
  }
  // With these moments E[X] and E[X^2]. nullopt: no distribution has them.
  static std::optional<Beta> Fit(double first, double second) {
    const double variance = second - first * first;
    if (first < 0 || first > 1 || variance < 0 || variance >= first * (1 - first)) return std::nullopt;
    const double size = std::max(first * (1 - first) / variance - 1, std::numeric_limits<double>::denorm_min());
    return Beta(first * size, (1 - first) * size);
  }

  double alpha() const { return alpha_; }
  double beta() const { return beta_; }
  double Mean() const { return alpha_ / (alpha_ + beta_); }
  double SecondMoment() const { return Mean() * (alpha_ + 1) / (alpha_ + beta_ + 1); }
  double Variance() const { return SecondMoment() - Mean() * Mean(); }

  // P(X <= x), for x from 0 to 1.
  double Below(double x) const {
    if (x <= 0 || x >= 1) return x >= 1 ? 1 : 0;
    const double p = alpha_ + beta_ > kLarge ? NormalBelow(x) : IncompleteBelow(x);
    return p >= 0 && p <= 1 ? p : 0;
  }

 private:
  // From this size on, a normal distribution is closer than the rounding of the logarithms.
  static constexpr double kLarge = 1e8;

  Beta(double alpha, double beta) : alpha_(alpha), beta_(beta) {}

  double NormalBelow(double x) const {
    const double deviation = std::sqrt(alpha_ * beta_ / (alpha_ + beta_ + 1)) / (alpha_ + beta_);
    return std::erfc((Mean() - x) / (deviation * std::numbers::sqrt2)) / 2;
  }
  // The fraction converges fast below the mean; above it, the other side is computed.
  double IncompleteBelow(double x) const {
    if (x > (alpha_ + 1) / (alpha_ + beta_ + 2)) return 1 - Beta(beta_, alpha_).Tail(1 - x);
    return Tail(x);
  }
  double Tail(double x) const {
    const double log_front =
        LogGamma(alpha_ + beta_) - LogGamma(alpha_) - LogGamma(beta_) + alpha_ * std::log(x) + beta_ * std::log1p(-x);
    return std::exp(log_front) * Fraction(x) / alpha_;
  }
  // std::lgamma writes a global variable.
  static double LogGamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
  }
  // By Lentz's method.
  double Fraction(double x) const {
    constexpr double kTiny = 1e-300, kPrecision = 1e-15;
    const auto kept = [](double value) { return std::fabs(value) < kTiny ? kTiny : value; };
    double c = 1, d = 1 / kept(1 - (alpha_ + beta_) * x / (alpha_ + 1)), result = d;
    for (int i = 1; i <= 100'000; ++i) {
      const double m = i, a = alpha_ + 2 * m;
      const double even = m * (beta_ - m) * x / ((a - 1) * a);
      const double odd = -(alpha_ + m) * (alpha_ + beta_ + m) * x / (a * (a + 1));
      double step = 1;
      for (const double term : {even, odd}) {
        d = 1 / kept(1 + term * d);
        c = kept(1 + term / c);
        step = c * d;
        result *= step;
      }
      if (std::fabs(step - 1) < kPrecision) break;
    }
    return result;
  }

  double alpha_, beta_;
};

// The probability that the use is at most this share, and the fitted distribution, if there is one.
inline std::pair<double, std::optional<Beta>> UseAtMost(double mu, double sigma, double share) {
  if (mu == 0 || (sigma == 0 && mu <= share)) return {1, std::nullopt};
  if (sigma == 0) return {0, std::nullopt};
  const std::optional<Beta> fitted = Beta::Fit(mu, sigma * sigma + mu * mu);
  if (!fitted) return {0, std::nullopt};
  return {fitted->Below(share), fitted};
}

}  // namespace plugins::low_risk
