// filteringNode: rejects the nodes that its args list by name, pattern, or label. Without args it rejects none.
#include <berth/plugin.hpp>

#include <optional>
#include <vector>

#include "../common/refusal_rules.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct FilteringNodeArgs : RefusalArgs {
  static FilteringNodeArgs Read(ArgsReader& in) { return {RefusalArgs::Read(in, NameForm::kPlain)}; }
};

class FilteringNode {
 public:
  static constexpr Info kInfo{.name = "filteringNode", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.row = BERTH_ROW_LABELS, .cluster = BERTH_CLUSTER_NODES, .total = true};
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { FilteringNodeArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { FilteringNodeArgs::Read(in); }

  explicit FilteringNode(Host& host)
      : host_(host), rules_(ReadArgs<FilteringNodeArgs>(host), "node(s) were", host.name()) {}

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    if (rules_.empty()) return Status::Ok();
    std::vector<ReasonList> numbers;  // by rule, once one refuses
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const std::optional<size_t> rule = RuleAgainst(cycle.snap().View(row));
      if (!rule) return;
      numbers.resize(rules_.size());
      if (numbers[*rule].number == 0) numbers[*rule] = cycle.Reasons({rules_.Reason(*rule)});
      out[i] = Verdict::Unresolvable(numbers[*rule]);
    });
    return Status::Ok();
  }

  // Worth a retry: the node is new or was rejected, and is not rejected now.
  bool Hint(Cycle&, const Event& event, const Pod&) {
    const NodeView now = event.new_node(), before = event.old_node();
    if (!now || RuleAgainst(now)) return false;
    return !before || RuleAgainst(before).has_value();
  }

 private:
  std::optional<size_t> RuleAgainst(const NodeView& node) const {
    const std::string_view name = host_.Text(node.name());
    return rules_.FirstFor(name, name, node->labels);
  }

  Host& host_;
  const RefusalRules rules_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::FilteringNode);
