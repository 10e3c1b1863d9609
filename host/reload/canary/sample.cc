#include "reload/canary/sample.h"

#include <algorithm>
#include <future>
#include <memory>
#include <vector>

#include "api/encode/encode.h"

namespace berth::canary {
namespace {

constexpr size_t kMostPending = kMostPods / 2;
// The queue returns all its pods at once: with more pods, this would delay the next cycle noticeably.
constexpr size_t kLongestQueue = 4096;

struct References {
  std::vector<api::NodeRef> nodes;
  std::vector<api::PodRef> pods;
};

void AddPending(const queue::SchedulingQueue& queue, References& found) {
  const queue::QueueCounts counts = queue.counts();
  if (counts.active + counts.backoff + counts.unschedulable + counts.gated > kLongestQueue) return;
  for (const queue::QueuedPod* pod : queue.Pending().pods) {
    if (found.pods.size() >= kMostPending) return;
    if (!pod->gated()) found.pods.push_back(pod->pod);
  }
}

References Collect(engine::Engine& engine) {
  References found;
  AddPending(engine.queue(), found);
  cache::Cache& cache = engine.cache();
  const std::vector<uint32_t>& order = cache.order();
  const size_t n = std::min(order.size(), kMostNodes);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t row = order[i * order.size() / n];
    found.nodes.emplace_back(cache.node(row));
    const std::vector<api::PodRef>& pods = cache.pods(row);
    const size_t most = std::min(pods.size(), (kMostPods - found.pods.size()) / (n - i));
    found.pods.insert(found.pods.end(), pods.end() - static_cast<ptrdiff_t>(most), pods.end());
  }
  return found;
}

}  // namespace

Sample TakeSample(engine::Engine& engine, std::chrono::milliseconds timeout) {
  const auto answer = std::make_shared<std::promise<References>>();  // which may arrive after the wait has timed out
  auto came = answer->get_future();
  engine.Post(engine::Task([&engine, answer] { answer->set_value(Collect(engine)); }));
  if (came.wait_for(timeout) != std::future_status::ready) return {};
  const References found = came.get();
  const api::InternTables& intern = engine.cache().intern();
  Sample sample;
  for (const api::NodeRef& node : found.nodes) sample.nodes.push_back(encode::NodeManifest(intern, *node));
  for (const api::PodRef& pod : found.pods) sample.pods.push_back(encode::PodManifest(intern, *pod));
  return sample;
}

}  // namespace berth::canary
