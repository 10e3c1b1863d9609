// Resources that pods request and no node offers. Tenants choose their names, so they get no columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "objects.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cache/checker.h"
#include "scheduler/cache/overlay.h"

namespace berth::cache {
namespace {

using testing::IsEmpty;

constexpr int kNames = 10'000;

class UnofferedResourcesTest : public testing::Test {
 protected:
  UnofferedResourcesTest() {
    cache_.SetNode(NodeText{.name = "n"}.In(intern_));
    cache_.SetNode(NodeText{.name = "other"}.In(intern_));
  }
  // A pod that requests `amount` of the resource through its overhead.
  PodText PodThatRequests(const std::string& resource, const std::string& amount, const std::string& name) {
    return {.name = name, .node = "n", .spec = R"("overhead":{")" + resource + R"(":")" + amount + R"("})"};
  }
  void Put(const std::string& resource, const std::string& amount, const std::string& name) {
    ASSERT_TRUE(cache_.AddPod(PodThatRequests(resource, amount, name).In(intern_)));
  }
  void PutInventedNames() {
    for (int i = 0; i < kNames; ++i) {
      const std::string number = std::to_string(i);
      Put("tenant.example.com/invented-" + number, "1", "p" + number);
    }
  }
  void RemoveThem() {
    for (int i = 0; i < kNames; ++i) ASSERT_TRUE(cache_.RemovePod("uid-p" + std::to_string(i)));
  }
  void OfferGpus(const std::string& node, int n) {
    cache_.SetNode(NodeText{.name = node, .memory = R"(8Gi","example.com/gpu":")" + std::to_string(n)}.In(intern_));
  }
  std::optional<berth_column> Column(uint32_t what, const std::string& resource) {
    berth_column column{sizeof column, 0, 0, 0, nullptr};
    if (!cache_.FindColumn(what, intern_.ids.Find(resource), &column)) return std::nullopt;
    return column;
  }
  template <class T>
  T Cell(uint32_t what, const std::string& resource, const std::string& node = "n") {
    const auto column = Column(what, resource);
    return column ? static_cast<const T*>(column->cells)[cache_.RowOf(intern_.ids.Find(node))] : 0;
  }
  int64_t Requested(const std::string& resource, const std::string& node = "n") {
    return Cell<int64_t>(BERTH_NODE_REQUESTED, resource, node);
  }
  void Sound() { EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty()); }

  api::InternTables intern_;
  Cache cache_{intern_};
};

TEST_F(UnofferedResourcesTest, OpenNoColumns) {
  const size_t before = cache_.column_bytes();
  PutInventedNames();
  EXPECT_EQ(cache_.column_bytes(), before);
  EXPECT_EQ(cache_.unoffered().n_names(), size_t{kNames});
  RemoveThem();
  EXPECT_EQ(cache_.unoffered().n_names(), 0u);
}

TEST_F(UnofferedResourcesTest, AreRemovedWithTheirPods) {
  intern_.ids.EndEpoch();
  intern_.ids.EndEpoch();
  const size_t before = intern_.ids.size();
  PutInventedNames();
  RemoveThem();
  intern_.ids.EndEpoch();
  intern_.ids.EndEpoch();
  EXPECT_EQ(intern_.ids.size(), before);
}

TEST_F(UnofferedResourcesTest, GetAColumnWhenANodeOffersThem) {
  Put("example.com/gpu", "2", "a");
  Put("example.com/gpu", "3", "b");
  OfferGpus("n", 8);
  EXPECT_EQ(Requested("example.com/gpu"), 5);
  EXPECT_EQ(Cell<double>(BERTH_NODE_REQUESTED_F64, "example.com/gpu"), 5.0);
  EXPECT_EQ(Cell<int64_t>(BERTH_NODE_ALLOCATABLE, "example.com/gpu"), 8);
  EXPECT_EQ(Cell<double>(BERTH_NODE_ALLOCATABLE_F64, "example.com/gpu"), 8.0);
  EXPECT_TRUE(Column(BERTH_NODE_REQUESTED, "example.com/gpu")->flags & BERTH_COLUMN_EXACT);
  Sound();
}

TEST_F(UnofferedResourcesTest, AreCountedAfterTheLastNodeIsRemoved) {
  OfferGpus("n", 8);
  OfferGpus("other", 8);
  Put("example.com/gpu", "2", "a");
  cache_.SetNode(NodeText{.name = "n"}.In(intern_));
  EXPECT_EQ(Cell<int64_t>(BERTH_NODE_ALLOCATABLE, "example.com/gpu", "other"), 8) << "one node still offers it";
  cache_.RemoveNode("other");
  cache_.BeginCycle();
  EXPECT_EQ(Requested("example.com/gpu"), 2);
  Put("example.com/gpu", "3", "b");
  EXPECT_EQ(Requested("example.com/gpu"), 5);
  ASSERT_TRUE(cache_.RemovePod("uid-a"));
  OfferGpus("n", 4);
  EXPECT_EQ(Requested("example.com/gpu"), 3);
  Sound();
}

TEST_F(UnofferedResourcesTest, ReportSumsThatAreTooLargeForADouble) {
  Put("example.com/gpu", "9007199254740992", "a");
  EXPECT_FALSE(Column(BERTH_NODE_REQUESTED, "example.com/gpu")->flags & BERTH_COLUMN_EXACT);
  OfferGpus("n", 8);
  EXPECT_EQ(Requested("example.com/gpu"), int64_t{1} << 53);
  EXPECT_FALSE(Column(BERTH_NODE_REQUESTED, "example.com/gpu")->flags & BERTH_COLUMN_EXACT);
  Sound();
}

TEST_F(UnofferedResourcesTest, AreCountedInTrials) {
  const auto pod = [this](const char* resource, const char* amount, const char* name) {
    return PodThatRequests(resource, amount, name).In(intern_);
  };
  const api::PodRef a = pod("example.com/gpu", "2", "a"), b = pod("example.com/fpga", "3", "b");
  ASSERT_TRUE(cache_.AddPod(a) && cache_.AddPod(b));
  Put("example.com/fpga", "10", "c");
  const api::PodRef guest = pod("example.com/gpu", "5", "guest"), stranger = pod("example.com/new", "1", "stranger");
  cache_.BeginCycle();
  EXPECT_EQ(Requested("example.com/gpu"), 2) << "asked before the trial; the others are asked during it";
  {
    Overlay overlay(cache_);
    overlay.Begin(cache_.RowOf(intern_.ids.Find("n")));
    ASSERT_TRUE(overlay.Remove(a->abi) && overlay.Remove(b->abi));
    EXPECT_EQ(Requested("example.com/gpu"), 0);
    EXPECT_EQ(Requested("example.com/fpga"), 10);
    overlay.Add(guest->abi);
    overlay.Add(stranger->abi);
    EXPECT_EQ(Requested("example.com/gpu"), 5);
    EXPECT_FALSE(Column(BERTH_NODE_REQUESTED, "example.com/new")) << "no pod on a row has it";
    overlay.TakeBack(2);
    overlay.Add(b->abi);
    EXPECT_EQ(Requested("example.com/gpu"), 0);
    EXPECT_EQ(Requested("example.com/fpga"), 13);
    EXPECT_EQ(Cell<double>(BERTH_NODE_REQUESTED_F64, "example.com/fpga"), 13.0);
  }
  EXPECT_EQ(Requested("example.com/gpu"), 2);
  EXPECT_EQ(Requested("example.com/fpga"), 13);
  Sound();
}

// A resource that nodes add and remove uses the same memory each time.
TEST_F(UnofferedResourcesTest, ColumnsOfARemovedResourceAreReused) {
  const auto offer = [this](int i) {
    const std::string resource = "vendor.example.com/device-" + std::to_string(i);
    cache_.SetNode(NodeText{.name = "n", .memory = "8Gi\",\"" + resource + "\":\"4"}.In(intern_));
    EXPECT_EQ(Cell<int64_t>(BERTH_NODE_ALLOCATABLE, resource), 4);
    EXPECT_EQ(Requested(resource), 0);
    Put(resource, "1", "p" + std::to_string(i));
    EXPECT_EQ(Requested(resource), 1);
  };
  offer(0);
  offer(1);
  const size_t before = cache_.column_bytes();
  for (int i = 2; i < 100; ++i) offer(i);
  EXPECT_EQ(cache_.column_bytes(), before);
  Sound();
}

// A column that a plugin has requested stays valid until the cycle ends.
TEST_F(UnofferedResourcesTest, AColumnIsValidForTheCycle) {
  Put("example.com/gpu", "2", "a");
  cache_.BeginCycle();
  const auto first = Column(BERTH_NODE_REQUESTED, "example.com/gpu");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rows, cache_.capacity());
  const uint32_t row = cache_.RowOf(intern_.ids.Find("n"));
  ASSERT_TRUE(cache_.Assume(PodThatRequests("example.com/gpu", "4", "assumed").In(intern_)));
  EXPECT_EQ(static_cast<const int64_t*>(first->cells)[row], 6) << "Reserve plugins see the assumed pod";
  EXPECT_EQ(Column(BERTH_NODE_REQUESTED, "example.com/gpu")->cells, first->cells);
  ASSERT_TRUE(cache_.Forget("uid-assumed"));
  EXPECT_EQ(static_cast<const int64_t*>(first->cells)[row], 2);
}

TEST_F(UnofferedResourcesTest, ConcurrentThreadsGetTheSameColumn) {
  constexpr int kResources = 20;
  for (int i = 0; i < kResources; ++i)
    Put("example.com/r" + std::to_string(i), std::to_string(i + 1), std::to_string(i));
  cache_.BeginCycle();
  std::vector<std::vector<const void*>> answers(4);
  std::vector<std::thread> threads;
  for (std::vector<const void*>& mine : answers) {
    threads.emplace_back([&mine, this] {
      for (int i = 0; i < kResources; ++i) {
        const std::string resource = "example.com/r" + std::to_string(i);
        const auto column = Column(BERTH_NODE_REQUESTED, resource);
        mine.push_back(column ? column->cells : nullptr);
        EXPECT_EQ(Requested(resource), i + 1);
        EXPECT_EQ(Cell<double>(BERTH_NODE_REQUESTED_F64, resource), i + 1.0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : answers) EXPECT_EQ(one, answers.front());
}

}  // namespace
}  // namespace berth::cache
