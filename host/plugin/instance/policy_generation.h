// The generation of the published policy, in a form that signal handlers can read: for the record of a crash.
// Thread: any; no lock. Ownership: one number per process.
#pragma once

#include <cstdint>

namespace berth::plugin {

// 0: no policy is published yet.
uint64_t PublishedGeneration();
// The engine calls this when it publishes a policy.
void SetPublishedGeneration(uint64_t generation);

}  // namespace berth::plugin
