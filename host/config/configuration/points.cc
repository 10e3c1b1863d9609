#include "config/configuration/points.h"

namespace berth::config {
namespace {

struct PointNames {
  std::string_view point;
  std::string_view interface;
};

constexpr std::array<PointNames, kSetCount> kNames{{{"preEnqueue", "PreEnqueuePlugin"},
                                                    {"queueSort", "QueueSortPlugin"},
                                                    {"preFilter", "PreFilterPlugin"},
                                                    {"filter", "FilterPlugin"},
                                                    {"postFilter", "PostFilterPlugin"},
                                                    {"preScore", "PreScorePlugin"},
                                                    {"score", "ScorePlugin"},
                                                    {"reserve", "ReservePlugin"},
                                                    {"permit", "PermitPlugin"},
                                                    {"preBind", "PreBindPlugin"},
                                                    {"bind", "BindPlugin"},
                                                    {"postBind", "PostBindPlugin"},
                                                    {"placementGenerate", "PlacementGeneratePlugin"},
                                                    {"placementScore", "PlacementScorePlugin"},
                                                    {"multiPoint", ""}}};

}  // namespace

std::string_view PointName(Point point) { return kNames[static_cast<size_t>(point)].point; }
std::string_view InterfaceName(Point point) { return kNames[static_cast<size_t>(point)].interface; }

std::optional<Point> PointNamed(std::string_view name) {
  for (size_t i = 0; i < kSetCount; ++i) {
    if (kNames[i].point == name) return static_cast<Point>(i);
  }
  return std::nullopt;
}

}  // namespace berth::config
