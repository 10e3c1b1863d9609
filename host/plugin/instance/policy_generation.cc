#include "plugin/instance/policy_generation.h"

#include <atomic>

namespace berth::plugin {
namespace {

std::atomic<uint64_t> g_published{0};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace

uint64_t PublishedGeneration() { return g_published.load(std::memory_order_relaxed); }

void SetPublishedGeneration(uint64_t generation) { g_published.store(generation, std::memory_order_relaxed); }

}  // namespace berth::plugin
