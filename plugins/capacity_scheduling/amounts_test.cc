// The table tests of pkg/capacityscheduling/elasticquota_test.go of kubernetes-sigs/scheduler-plugins, as facts.
#include "amounts.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "quotas.h"

namespace plugins::capacity_scheduling {
namespace {

constexpr Id kGpu = 77, kDisk = 78;

struct Given {
  int64_t cpu = 0, memory = 0, ephemeral = 0;
  std::optional<int64_t> gpu = std::nullopt;
};

Amounts VectorOf(const Given& given) {
  Amounts amounts;
  amounts[kCpu] = given.cpu;
  amounts[kMemory] = given.memory;
  amounts[kEphemeralStorage] = given.ephemeral;
  if (given.gpu) amounts.At(kGpu) = *given.gpu;
  return amounts;
}

// ---- TestReserveResource, TestUnReserveResource

const std::vector<Given> kThreePods = {
    {.cpu = 1000, .memory = 50, .gpu = 1}, {.cpu = 2000, .memory = 100, .gpu = 0}, {.cpu = 0, .memory = 0, .gpu = 2}};

TEST(CapacityAmounts, ReserveResource) {
  Amounts used = VectorOf({.cpu = 1000, .memory = 200, .gpu = 2});
  for (const Given& pod : kThreePods) used.Add(VectorOf(pod));
  EXPECT_EQ(used, VectorOf({.cpu = 4000, .memory = 350, .gpu = 5}));
}

TEST(CapacityAmounts, UnreserveResource) {
  Amounts used = VectorOf({.cpu = 4000, .memory = 200, .gpu = 5});
  for (const Given& pod : kThreePods) used.Subtract(VectorOf(pod));
  EXPECT_EQ(used, VectorOf({.cpu = 1000, .memory = 50, .gpu = 2}));
}

// ---- TestUsedOverMinWith, TestUsedOverMaxWith, TestUsedOverMin

struct OverCase {
  std::string name;
  Given used;
  std::optional<Given> limit;
  Given request = {};
  bool want;
};

Limits LimitsOf(Amounts min, Amounts max, berth::sdk::Host& host) {
  return {std::move(min), std::move(max), OwnedIds(host)};
}

// A host that is never called, because these limits have no ids.
berth::sdk::Host& NoHost() {
  static berth::sdk::Host host(nullptr);
  return host;
}

std::vector<OverCase> OverMinWithCases() {
  return {
      {.name = "request and used are more than min",
       .used = {.cpu = 4000, .memory = 200, .gpu = 5},
       .limit = Given{.cpu = 3000, .memory = 100, .gpu = 5},
       .request = {.cpu = 1500, .memory = 100},
       .want = true},
      {.name = "request and used are not more than min",
       .used = {.cpu = 300, .memory = 100, .gpu = 5},
       .limit = Given{.cpu = 4000, .memory = 200, .gpu = 5},
       .request = {.cpu = 100, .memory = 50},
       .want = false},
      {.name = "the quota has no min",
       .used = {.cpu = 3900, .memory = 100, .gpu = 5},
       .limit = std::nullopt,
       .request = {.cpu = 100, .memory = 100},
       .want = true},
      {.name = "used and min have no GPU",
       .used = {.cpu = 10, .memory = 10},
       .limit = Given{.cpu = 3000, .memory = 100},
       .request = {.cpu = 10, .memory = 10, .gpu = 5},
       .want = true},
      {.name = "ephemeral storage",
       .used = {.cpu = 10, .memory = 10, .ephemeral = 10},
       .limit = Given{.cpu = 3000, .memory = 100, .ephemeral = 100},
       .request = {.cpu = 10, .memory = 10, .ephemeral = 10},
       .want = false},
  };
}

TEST(CapacityAmounts, UsedOverMinWith) {
  for (const OverCase& one : OverMinWithCases()) {
    const Limits quota = LimitsOf(VectorOf(one.limit.value_or(Given{})), {}, NoHost());
    EXPECT_EQ(OverMinWith(quota, VectorOf(one.used), VectorOf(one.request)), one.want) << one.name;
  }
}

std::vector<OverCase> OverMaxWithCases() {
  return {
      {.name = "request and used are more than max",
       .used = {.cpu = 4000, .memory = 200, .gpu = 5},
       .limit = Given{.cpu = 4000, .memory = 200, .gpu = 5},
       .request = {.cpu = 100, .memory = 100},
       .want = true},
      {.name = "request and used are not more than max",
       .used = {.cpu = 3900, .memory = 100, .gpu = 5},
       .limit = Given{.cpu = 4000, .memory = 200, .gpu = 5},
       .request = {.cpu = 100, .memory = 100},
       .want = false},
      {.name = "the quota has no max",
       .used = {.cpu = 3900, .memory = 100, .gpu = 5},
       .limit = std::nullopt,
       .request = {.cpu = 100, .memory = 100},
       .want = false},
      {.name = "used and max have no GPU",
       .used = {.cpu = 10, .memory = 10},
       .limit = Given{.cpu = 3000, .memory = 100},
       .request = {.cpu = 10, .memory = 10, .gpu = 5},
       .want = false},
      {.name = "ephemeral storage",
       .used = {.cpu = 10, .memory = 10, .ephemeral = 10},
       .limit = Given{.cpu = 3000, .memory = 100, .ephemeral = 100},
       .request = {.cpu = 10, .memory = 10, .ephemeral = 100},
       .want = true},
  };
}

TEST(CapacityAmounts, UsedOverMaxWith) {
  for (const OverCase& one : OverMaxWithCases()) {
    const Limits quota = LimitsOf({}, one.limit ? VectorOf(*one.limit) : LimitsReader::Unlimited(), NoHost());
    EXPECT_EQ(OverMaxWith(quota, VectorOf(one.used), VectorOf(one.request)), one.want) << one.name;
  }
}

std::vector<OverCase> OverMinCases() {
  return {
      {.name = "used is more than min",
       .used = {.cpu = 4000, .memory = 200, .gpu = 5},
       .limit = Given{.cpu = 3000, .memory = 300, .gpu = 5},
       .want = true},
      {.name = "used is not more than min",
       .used = {.cpu = 300, .memory = 100, .gpu = 5},
       .limit = Given{.cpu = 4000, .memory = 200, .gpu = 5},
       .want = false},
      {.name = "the quota has no min",
       .used = {.cpu = 3900, .memory = 100, .gpu = 5},
       .limit = std::nullopt,
       .want = true},
      {.name = "used has a GPU and min has none",
       .used = {.cpu = 300, .memory = 100, .gpu = 5},
       .limit = Given{.cpu = 4000, .memory = 200},
       .want = true},
      {.name = "ephemeral storage",
       .used = {.cpu = 300, .memory = 100, .ephemeral = 100},
       .limit = Given{.cpu = 4000, .memory = 200, .ephemeral = 10},
       .want = true},
  };
}

TEST(CapacityAmounts, UsedOverMin) {
  for (const OverCase& one : OverMinCases()) {
    const Limits quota = LimitsOf(VectorOf(one.limit.value_or(Given{})), {}, NoHost());
    EXPECT_EQ(OverMin(quota, VectorOf(one.used)), one.want) << one.name;
  }
}

// ---- own

TEST(CapacityAmounts, OnlyScalarsThatAreAskedForCount) {
  const Amounts used = VectorOf({.gpu = 5}), none;
  EXPECT_FALSE(Exceeds(VectorOf({.cpu = 0}), used, none, 0));
  EXPECT_TRUE(Exceeds(VectorOf({.gpu = 0}), used, none, 0)) << "asked for, though not one";
}

TEST(CapacityAmounts, ThePoolCountsScalarsThatAreUsed) {
  const Amounts used = VectorOf({.gpu = 5}), none;
  EXPECT_TRUE(PoolOverMinWith(used, none, none));
  EXPECT_FALSE(PoolOverMinWith(used, VectorOf({.gpu = 5}), none));
  EXPECT_TRUE(PoolOverMinWith(used, VectorOf({.gpu = 5}), VectorOf({.gpu = 1})));
}

TEST(CapacityAmounts, OverflowWraps) {
  const Amounts most = VectorOf({.cpu = kUnlimited}), one = VectorOf({.cpu = 1});
  EXPECT_FALSE(Exceeds(one, most, Amounts{}, 0));
  Amounts sum = most;
  sum.Add(one);
  sum.Subtract(one);
  EXPECT_EQ(sum, most);
}

TEST(CapacityAmounts, ScalarsStaySortedAndLeaveNothing) {
  Amounts amounts;
  amounts.At(kDisk) = 1;
  amounts.At(kGpu) = 2;
  EXPECT_EQ(amounts.scalars(), (std::vector<Scalar>{{kGpu, 2}, {kDisk, 1}}));
  amounts.Subtract(amounts);
  amounts.DropZeros();
  EXPECT_EQ(amounts, Amounts{});
}

}  // namespace
}  // namespace plugins::capacity_scheduling
