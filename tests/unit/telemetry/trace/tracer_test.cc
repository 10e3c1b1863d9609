#include "telemetry/trace/tracer.h"

#include <gtest/gtest.h>

#include <set>

#include "telemetry/trace/current.h"

namespace berth::trace {
namespace {

using Decision = SpanContext::Decision;

size_t SampledOf(int32_t per_million, size_t roots) {
  SpanQueue queue;
  Tracer tracer(Sampler(per_million), queue, 7);
  size_t sampled = 0;
  for (size_t i = 0; i < roots; ++i) sampled += tracer.Root().sampled() ? 1 : 0;
  return sampled;
}

TEST(Sampling, ZeroSamplesNothingAndAMillionEverything) {
  EXPECT_EQ(SampledOf(0, 1000), 0u);
  EXPECT_EQ(SampledOf(1'000'000, 1000), 1000u);
}

TEST(Sampling, TheRateIsTheShareOfTheRoots) {
  const size_t sampled = SampledOf(250'000, 10'000);  // standard deviation 43
  EXPECT_GT(sampled, 2200u);
  EXPECT_LT(sampled, 2800u);
}

// As in TraceIDRatioBased of go.opentelemetry.io/otel/sdk/trace, the upper 63 of the lower 64 bits decide.
TEST(Sampling, DecidesAsOpenTelemetry) {
  const Sampler half(500'000);
  EXPECT_TRUE(half.Samples(0x7fffffffffffffff));
  EXPECT_FALSE(half.Samples(0x8000000000000000));
  EXPECT_FALSE(Sampler(0).Samples(0));
  EXPECT_TRUE(Sampler(1'000'000).Samples(~uint64_t{0}));
  EXPECT_TRUE(Sampler(1).Samples(0x10c6f7a0b5eb));  // a millionth of 2^64 is 0x10c6f7a0b5ed
  EXPECT_FALSE(Sampler(1).Samples(0x10c6f7a0b5ec));
}

TEST(Tracers, AnEffectFollowsItsCause) {
  SpanQueue queue;
  Tracer always(Sampler(1'000'000), queue, 1), never(Sampler(0), queue, 1);
  const SpanContext root = never.Under({Decision::kSampled, 1, 2, 3});
  EXPECT_TRUE(root.sampled());
  EXPECT_EQ(root.trace_high, 1u);
  EXPECT_EQ(root.trace_low, 2u);
  EXPECT_NE(root.span, 3u);
  EXPECT_EQ(always.Under({.decision = Decision::kDropped}).decision, Decision::kDropped);
  EXPECT_TRUE(always.Under({}).sampled());
  EXPECT_EQ(never.Under({}).decision, Decision::kDropped);
}

TEST(Tracers, IdsDiffer) {
  SpanQueue queue;
  Tracer tracer(Sampler(1'000'000), queue, 1);
  std::set<uint64_t> ids;
  for (int i = 0; i < 1000; ++i) {
    const SpanContext root = tracer.Root();
    ids.insert({root.trace_high, root.trace_low, root.span, tracer.Under(root).span});
  }
  EXPECT_EQ(ids.size(), 4000u);
  EXPECT_FALSE(ids.contains(0));
}

TEST(Scopes, NestAndEnd) {
  EXPECT_EQ(Current().decision, Decision::kNone);
  {
    const Scope outer({Decision::kSampled, 1, 2, 3});
    {
      const Scope inner({.decision = Decision::kDropped});
      EXPECT_EQ(Current().decision, Decision::kDropped);
    }
    EXPECT_EQ(Current().span, 3u);
  }
  EXPECT_EQ(Current().decision, Decision::kNone);
}

}  // namespace
}  // namespace berth::trace
