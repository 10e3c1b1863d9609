// filteringPod: rejects the pods that its args list by name, pattern, or label, before any node is filtered. Without
// args it rejects none.
#include <berth/plugin.hpp>

#include <optional>
#include <string>

#include "../common/refusal_rules.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct FilteringPodArgs : RefusalArgs {
  static FilteringPodArgs Read(ArgsReader& in) { return {RefusalArgs::Read(in, NameForm::kNamespaced)}; }
};

class FilteringPod {
 public:
  static constexpr Info kInfo{.name = "filteringPod", .vendor = "berth.dev"};
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_UPDATE_POD_LABEL}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { FilteringPodArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { FilteringPodArgs::Read(in); }

  explicit FilteringPod(Host& host) : host_(host), rules_(ReadArgs<FilteringPodArgs>(host), "pod was", host.name()) {}

  Status PreFilter(Cycle&, const Pod& pod) {
    if (rules_.empty()) return Status::Ok();
    const std::optional<size_t> rule = RuleAgainst(pod);
    return rule ? Status::Unresolvable(rules_.Reason(*rule)) : Status::Ok();
  }

  // Worth a retry: the pod itself has new labels, and is no longer rejected.
  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    const Pod now = event.new_pod();
    return now && now.uid() == pod.uid() && !RuleAgainst(now);
  }

 private:
  std::optional<size_t> RuleAgainst(const Pod& pod) const {
    const std::string_view name = pod.name();
    const std::string full = std::string(host_.Text(pod.ns())) + "/" + std::string(name);
    return rules_.FirstFor(name, full, pod->labels);
  }

  Host& host_;
  const RefusalRules rules_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::FilteringPod);
