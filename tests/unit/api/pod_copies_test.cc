#include "api/pod_copies.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

namespace berth::api {
namespace {

constexpr const char* kCopiedPod =
    R"({"metadata":{"name":"p","namespace":"n","uid":"u","labels":{"app":"web"}},)"
    R"("spec":{"schedulerName":"s","priorityClassName":"high"},"status":{"phase":"Pending"}})";

class PodCopiesTest : public testing::Test {
 protected:
  PodRef Decode() { return *DecodePod(intern_, kCopiedPod); }

  InternTables intern_;
  base::OwnedId node_{intern_.ids, "node-1"}, other_node_{intern_.ids, "node-2"};
};

TEST_F(PodCopiesTest, DiffersInTheNodeOnly) {
  PodCopies copies(intern_);
  const PodRef pod = Decode();
  const PodRef want = WithNodeName(intern_, *pod, "node-1");
  const PodRef copy = copies.WithNodeName(*pod, node_.get());
  EXPECT_EQ(copy->abi.node_name, want->abi.node_name);
  EXPECT_EQ(copy->key(), want->key());
  EXPECT_EQ(copy->uid(), want->uid());
  EXPECT_EQ(copy->abi.labels, want->abi.labels);
  EXPECT_EQ(copy->phase(), want->phase());
  EXPECT_EQ(copy->manifest_is_old(), want->manifest_is_old());
  EXPECT_EQ(std::string_view(copy->abi.name.ptr, copy->abi.name.len), "p");
  EXPECT_NE(copy->abi.name.ptr, pod->abi.name.ptr);
}

TEST_F(PodCopiesTest, UsesTheMemoryOfACopyAgain) {
  PodCopies copies(intern_);
  const PodRef pod = Decode();
  const Pod* first = copies.WithNodeName(*pod, node_.get()).get();
  const PodRef second = copies.WithNodeName(*pod, other_node_.get());
  EXPECT_EQ(second.get(), first);
  EXPECT_EQ(second->abi.node_name, other_node_.get());
  EXPECT_NE(copies.WithNodeName(*pod, node_.get()).get(), first);
}

TEST_F(PodCopiesTest, ASpareCopyKeepsNothingOfThePod) {
  PodCopies copies(intern_);
  std::optional<PodRef> pod = Decode();
  const size_t with_pod = intern_.ids.size();
  copies.WithNodeName(**pod, node_.get());
  EXPECT_EQ(intern_.ids.size(), with_pod);
  pod.reset();
  intern_.ids.EndEpoch();
  intern_.ids.EndEpoch();
  EXPECT_EQ(intern_.ids.Find("high"), base::kNoId);
}

TEST_F(PodCopiesTest, ACopyOutlivesTheObject) {
  std::optional<PodCopies> copies(std::in_place, intern_);
  PodRef copy = copies->WithNodeName(*Decode(), node_.get());
  copies.reset();
  EXPECT_EQ(copy->key(), "n/p");
  copy = {};
}

TEST_F(PodCopiesTest, KeepsALimitedNumberOfCopies) {
  PodCopies copies(intern_);
  const PodRef pod = Decode();
  std::vector<PodRef> many;
  for (size_t i = 0; i < PodCopies::kMostSpare + 10; ++i) many.push_back(copies.WithNodeName(*pod, node_.get()));
  many.clear();
  for (size_t i = 0; i < PodCopies::kMostSpare + 10; ++i) many.push_back(copies.WithNodeName(*pod, node_.get()));
  EXPECT_EQ(many.back()->abi.node_name, node_.get());
}

TEST_F(PodCopiesTest, AnotherThreadMayDropTheLastReference) {
  PodCopies copies(intern_);
  const PodRef pod = Decode();
  constexpr int kRounds = 200;
  std::vector<PodRef> given(kRounds);
  for (PodRef& copy : given) copy = copies.WithNodeName(*pod, node_.get());
  std::thread other([&] {
    for (PodRef& copy : given) copy = {};
  });
  for (int i = 0; i < kRounds; ++i) EXPECT_EQ(copies.WithNodeName(*pod, other_node_.get())->key(), "n/p");
  other.join();
}

}  // namespace
}  // namespace berth::api
