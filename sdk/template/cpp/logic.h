// The arithmetic of templatePlugin, independent of the scheduler: functions over numbers, with separate tests.
#pragma once

#include <cstdint>

namespace template_plugin {

// The free share of a resource in whole percent, 0..100. It is 0 if the node does not have the resource, or if the
// requests exceed what the node has.
int64_t FreePercent(int64_t allocatable, int64_t requested);

}  // namespace template_plugin
