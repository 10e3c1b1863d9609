// SchedulingGates: a pod with spec.schedulingGates does not enter the active queue until its last gate is removed.
// Source: pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go.
#include <berth/plugin.hpp>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class SchedulingGates {
 public:
  static constexpr Info kInfo{.name = "SchedulingGates", .vendor = "berth.dev"};
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_UPDATE_POD_SCHEDULING_GATES_ELIMINATED}};

  explicit SchedulingGates(Host& host) : host_(host) {}

  Status PreEnqueue(Cycle&, const Pod& pod) {
    const auto gates = pod.gates();
    if (gates.empty()) return Status::Ok();
    std::string text = "waiting for scheduling gates: [";
    for (uint32_t i = 0; i < gates.size(); ++i) {
      if (i > 0) text += ' ';
      text += host_.Text(gates[i]);
    }
    return Status::Unresolvable(text + "]");
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    return event.new_pod() && event.new_pod().uid() == pod.uid();
  }

 private:
  Host& host_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::SchedulingGates);
