#include "berth/testing/fake_cluster.hpp"

#include <stdexcept>

namespace berth::sdk::testing {

FakeCluster::FakeCluster() = default;

FakeCluster::FakeCluster(const FakeCluster&) = default;

FakeCluster::FakeCluster(FakeCluster&&) noexcept = default;

FakeCluster& FakeCluster::operator=(const FakeCluster&) = default;

FakeCluster& FakeCluster::operator=(FakeCluster&&) noexcept = default;

FakeCluster::~FakeCluster() = default;

FakeCluster& FakeCluster::Add(const FakeNode& node) {
  if (rows_.size() == 1) rows_.emplace_back();
  rows_.push_back({node.Build(), node.images(), {}, ++generation_});
  names_[node.name()] = static_cast<uint32_t>(rows_.size() - 1);
  return *this;
}

FakeCluster& FakeCluster::Add(const FakePod& pod, const std::string& node) {
  return Add(FakePod(pod).Node(node).Build(), node);
}

FakeCluster& FakeCluster::Add(std::shared_ptr<const PodObject> pod, const std::string& node) {
  Row& row = rows_[RowOf(node)];
  row.pods.push_back(std::move(pod));
  row.generation = ++generation_;
  return *this;
}

FakeCluster& FakeCluster::Remove(const FakePod& pod, const std::string& node) { return Remove(*pod.Build(), node); }

FakeCluster& FakeCluster::Remove(const PodObject& pod, const std::string& node) {
  Row& row = rows_[RowOf(node)];
  std::erase_if(row.pods, [&pod](const auto& one) { return View(one->pod.uid) == View(pod.pod.uid); });
  row.generation = ++generation_;
  return *this;
}

uint32_t FakeCluster::RowOf(const std::string& node) const {
  const auto at = names_.find(node);
  if (at == names_.end()) throw std::invalid_argument("the fake cluster has no node " + node);
  return at->second;
}

bool FakeCluster::HasNode(const std::string& node) const { return names_.contains(node); }

uint32_t FakeCluster::nodes() const { return static_cast<uint32_t>(names_.size()); }

std::vector<uint32_t> FakeCluster::LiveRows() const {
  std::vector<uint32_t> live;
  for (uint32_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].node != nullptr) live.push_back(row);
  }
  return live;
}

std::string FakeCluster::NameOf(uint32_t row) const { return TextOf(rows_.at(row).node->node.name); }

}  // namespace berth::sdk::testing
