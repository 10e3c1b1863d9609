// The extension points, in the order of getExtensionPoints in
// pkg/scheduler/framework/runtime/framework.go.
// Thread: constants.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace berth::plugin {

enum class Point : uint8_t {
  kPreFilter,
  kFilter,
  kPostFilter,
  kReserve,
  kPreScore,
  kScore,
  kPreBind,
  kBind,
  kPostBind,
  kPermit,
  kPreEnqueue,
  kQueueSort,
};
inline constexpr size_t kPoints = 12;

// "preFilter": as configuration and notes spell it. "PreFilter": as messages and metrics do.
std::string_view ConfigName(Point point);
std::string_view MessageName(Point point);

}  // namespace berth::plugin
