#include "plugin/policy_in_force.h"

#include <atomic>

namespace berth::plugin {
namespace {

std::atomic<uint64_t> g_in_force{0};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace

uint64_t PolicyInForce() { return g_in_force.load(std::memory_order_relaxed); }

void NotePolicyInForce(uint64_t generation) { g_in_force.store(generation, std::memory_order_relaxed); }

}  // namespace berth::plugin
