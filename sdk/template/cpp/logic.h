// What templatePlugin computes, apart from any scheduler: plain functions over numbers, tested as such.
#pragma once

#include <cstdint>

namespace template_plugin {

// How much of a resource is free, in whole percent 0..100. A node that has none of it has nothing free; one that
// promised more than it has counts as full.
int64_t FreePercent(int64_t allocatable, int64_t requested);

}  // namespace template_plugin
