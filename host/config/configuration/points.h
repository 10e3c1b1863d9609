// The extension points of a profile: their names in a configuration file and in kube-scheduler's errors. Thread: any.
// Sources: kube-scheduler/config/v1 types.go, pkg/scheduler/framework/runtime/framework.go.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::config {

enum class Point : uint8_t {
  kPreEnqueue,
  kQueueSort,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kReserve,
  kPermit,
  kPreBind,
  kBind,
  kPostBind,
  kPlacementGenerate,
  kPlacementScore,
  kMultiPoint,  // not a real point: it stands for every point that a plugin implements
};
inline constexpr size_t kPointCount = 14;  // real points
inline constexpr size_t kSetCount = 15;    // with multiPoint

// Bit i stands for Point i.
using PointSet = uint32_t;
constexpr PointSet Bit(Point point) { return PointSet{1} << static_cast<unsigned>(point); }
constexpr bool Has(PointSet set, Point point) { return (set & Bit(point)) != 0; }

// "preEnqueue", ..., "multiPoint".
std::string_view PointName(Point point);
// "PreEnqueuePlugin", ...; of a real point.
std::string_view InterfaceName(Point point);
std::optional<Point> PointNamed(std::string_view name);

// The order in which the framework sets up points, and so the order in which it finds faults.
inline constexpr std::array<Point, kPointCount> kSetupOrder = {
    Point::kPreFilter,         Point::kFilter,        Point::kPostFilter, Point::kReserve,
    Point::kPreScore,          Point::kScore,         Point::kPreBind,    Point::kBind,
    Point::kPostBind,          Point::kPermit,        Point::kPreEnqueue, Point::kQueueSort,
    Point::kPlacementGenerate, Point::kPlacementScore};

}  // namespace berth::config
