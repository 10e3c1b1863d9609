// The beta distribution. The facts of pkg/trimaran/lowriskovercommitment/beta_test.go but for its text (Print) and its
// density, which no score uses.
#include "beta.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace plugins::low_risk {
namespace {

struct MomentCase {
  const char* name;
  double alpha, beta;
  bool valid;
  double first, second;
};

class BetaMoments : public testing::TestWithParam<MomentCase> {};

TEST_P(BetaMoments, Of) {
  const auto beta = Beta::Of(GetParam().alpha, GetParam().beta);
  ASSERT_EQ(beta.has_value(), GetParam().valid);
  if (!beta) return;
  EXPECT_DOUBLE_EQ(beta->Mean(), GetParam().first);
  EXPECT_DOUBLE_EQ(beta->SecondMoment(), GetParam().second);
  EXPECT_NEAR(beta->Variance(), GetParam().second - GetParam().first * GetParam().first, 1e-15);
}

// TestNewBetaDistribution.
INSTANTIATE_TEST_SUITE_P(
    Upstream, BetaMoments,
    testing::Values(
        MomentCase{.name = "Uniform", .alpha = 1, .beta = 1, .valid = true, .first = 0.5, .second = 1. / 3},
        MomentCase{.name = "Beta12", .alpha = 1, .beta = 2, .valid = true, .first = 1. / 3, .second = 1. / 6},
        MomentCase{.name = "Beta31", .alpha = 3, .beta = 1, .valid = true, .first = 0.75, .second = 0.6},
        MomentCase{.name = "NegativeAlpha", .alpha = -1, .beta = 1, .valid = false, .first = 0, .second = 0},
        MomentCase{.name = "NegativeBeta", .alpha = 1, .beta = -1, .valid = false, .first = 0, .second = 0}),
    [](const auto& info) { return std::string(info.param.name); });

// TestBetaDistribution_MatchMoments.
TEST(Beta, FitsMoments) {
  const auto uniform = Beta::Fit(0.5, 1. / 3);
  ASSERT_TRUE(uniform);
  EXPECT_NEAR(uniform->alpha(), 1, 1e-12);
  EXPECT_NEAR(uniform->beta(), 1, 1e-12);
  EXPECT_FALSE(Beta::Fit(0, 0));
}

TEST(Beta, RefusesMomentsThatNothingHas) {
  EXPECT_FALSE(Beta::Fit(-0.1, 0.5));
  EXPECT_FALSE(Beta::Fit(1.1, 1.5));
  EXPECT_FALSE(Beta::Fit(0.5, 0.2));  // a negative variance
  EXPECT_FALSE(Beta::Fit(0.5, 0.5));  // as far from the mean as 0 and 1
}

struct BelowCase {
  const char* name;
  double alpha, beta, x, want;
};

class BetaBelow : public testing::TestWithParam<BelowCase> {};

TEST_P(BetaBelow, X) {
  EXPECT_NEAR(Beta::Of(GetParam().alpha, GetParam().beta)->Below(GetParam().x), GetParam().want, 1e-9);
}

// TestBetaDistribution_DistributionFunction. Its case of a negative parameter is one of BetaMoments here.
INSTANTIATE_TEST_SUITE_P(Upstream, BetaBelow,
                         testing::Values(BelowCase{.name = "Middle", .alpha = 2, .beta = 2, .x = 0.5, .want = 0.5},
                                         BelowCase{.name = "Zero", .alpha = 2, .beta = 2, .x = 0, .want = 0},
                                         BelowCase{.name = "One", .alpha = 2, .beta = 2, .x = 1, .want = 1}),
                         [](const auto& info) { return std::string(info.param.name); });

// I_x(1, b) = 1 - (1 - x)^b, I_x(a, 1) = x^a, I_x(2, 2) = x^2 (3 - 2 x), I_x(1/2, 1/2) = 2 asin(sqrt(x)) / pi.
INSTANTIATE_TEST_SUITE_P(
    Own, BetaBelow,
    testing::Values(BelowCase{.name = "Beta15", .alpha = 1, .beta = 5, .x = 0.3, .want = 1 - std::pow(0.7, 5)},
                    BelowCase{.name = "Beta51", .alpha = 5, .beta = 1, .x = 0.3, .want = std::pow(0.3, 5)},
                    BelowCase{.name = "Beta22", .alpha = 2, .beta = 2, .x = 0.9, .want = 0.81 * 1.2},
                    BelowCase{.name = "Arcsine", .alpha = 0.5, .beta = 0.5, .x = 0.25, .want = 1. / 3},
                    BelowCase{.name = "SmallParameters", .alpha = 0.01, .beta = 0.01, .x = 0.5, .want = 0.5},
                    BelowCase{.name = "LargeParameters", .alpha = 1e4, .beta = 1e4, .x = 0.5, .want = 0.5},
                    BelowCase{.name = "VeryLargeParameters", .alpha = 1e12, .beta = 1e12, .x = 0.5, .want = 0.5}),
    [](const auto& info) { return std::string(info.param.name); });

// TestGetMaxVariance.
TEST(Beta, HasAMostVariance) {
  EXPECT_EQ(MostVariance(0), 0);
  EXPECT_EQ(MostVariance(1), 0);
  EXPECT_EQ(MostVariance(0.5), 0.25);
  EXPECT_EQ(MostVariance(-1), 0);
}

// The integral of the density by Simpson's rule.
double Integral(const Beta& beta, double x) {
  const double log_norm =
      std::lgamma(beta.alpha() + beta.beta()) - std::lgamma(beta.alpha()) - std::lgamma(beta.beta());
  const auto density = [&](double at) {
    if (at <= 0 || at >= 1) return 0.;
    return std::exp(log_norm + (beta.alpha() - 1) * std::log(at) + (beta.beta() - 1) * std::log1p(-at));
  };
  constexpr int kSteps = 20'000;
  double sum = density(0) + density(x);
  for (int i = 1; i < kSteps; ++i) sum += density(x * i / kSteps) * (i % 2 == 0 ? 2 : 4);
  return sum * x / kSteps / 3;
}

TEST(Beta, AgreesWithTheIntegralOfItsDensity) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> parameter(2, 60), share(0.01, 0.99);
  for (int i = 0; i < 200; ++i) {
    const Beta beta = *Beta::Of(parameter(random), parameter(random));
    const double x = share(random);
    ASSERT_NEAR(beta.Below(x), Integral(beta, x), 1e-8) << beta.alpha() << " " << beta.beta() << " " << x;
  }
}

TEST(Beta, RisesFromZeroToOne) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> exponent(-3, 11);
  for (int i = 0; i < 300; ++i) {
    const Beta beta = *Beta::Of(std::pow(10, exponent(random)), std::pow(10, exponent(random)));
    double before = 0;
    for (double x = 0; x <= 1; x += 1. / 64) {
      const double below = beta.Below(x);
      ASSERT_TRUE(below >= before - 1e-6 && below <= 1) << beta.alpha() << " " << beta.beta() << " " << x;
      before = below;
    }
  }
}

TEST(UseAtMost, WithoutADeviationItIsAStep) {
  EXPECT_EQ(UseAtMost(0, 0.5, 0.1).first, 1);
  EXPECT_EQ(UseAtMost(0.3, 0, 0.3).first, 1);
  EXPECT_EQ(UseAtMost(0.3, 0, 0.29).first, 0);
  EXPECT_EQ(UseAtMost(0.5, 0.6, 0.9).first, 0);  // nothing fits
  EXPECT_FALSE(UseAtMost(0.5, 0.6, 0.9).second);
}

}  // namespace
}  // namespace plugins::low_risk
