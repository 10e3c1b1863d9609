#include "plugin/instance/point.h"

namespace berth::plugin {
namespace {

struct Names {
  std::string_view config, message;
};
constexpr std::array<Names, kPoints> kNames{{{"preFilter", "PreFilter"},
                                             {"filter", "Filter"},
                                             {"postFilter", "PostFilter"},
                                             {"reserve", "Reserve"},
                                             {"preScore", "PreScore"},
                                             {"score", "Score"},
                                             {"preBind", "PreBind"},
                                             {"bind", "Bind"},
                                             {"postBind", "PostBind"},
                                             {"permit", "Permit"},
                                             {"preEnqueue", "PreEnqueue"},
                                             {"queueSort", "QueueSort"}}};

}  // namespace

std::string_view ConfigName(Point point) { return kNames[static_cast<size_t>(point)].config; }
std::string_view MessageName(Point point) { return kNames[static_cast<size_t>(point)].message; }

}  // namespace berth::plugin
