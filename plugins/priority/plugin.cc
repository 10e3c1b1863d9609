// Priority: a node's label contains its score, and a node without the label is rejected.
#include <berth/plugin.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "label_score.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class Priority {
 public:
  static constexpr std::string_view kLabel = "priority.lixueduan.com";
  static constexpr Info kInfo{.name = "Priority", .vendor = "berth.dev"};
  // The reason contains the node's name.
  static constexpr Reuse kFilterReuse{.row = BERTH_ROW_LABELS, .cluster = BERTH_CLUSTER_NODES, .total = true};
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_LABELS, .total = true};
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL}};

  explicit Priority(Host& host) : host_(host), label_(host.Intern(kLabel)) {}

  void Activate() { host_.OpenColumn(BERTH_NODE_LABEL, label_); }

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const auto values = cycle.snap().Ids(BERTH_NODE_LABEL, label_);
    const auto names = cycle.snap().Ids(BERTH_NODE_NAME);
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const Id value = values ? (*values)[row] : kNoId;
      if (NumberOf(value)) return;
      out[i] = Verdict::Unschedulable(cycle.Reasons({Reason(names ? (*names)[row] : kNoId, value)}));
    });
    return Status::Ok();
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto values = cycle.snap().Ids(BERTH_NODE_LABEL, label_);
    if (!values) {
      out[0] = 0;
      return Status::Uniform();
    }
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = NumberOf((*values)[row]).value_or(0); });
    return Status::Ok();
  }

  Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t> scores) {
    priority::ScaleIfNeeded(scores);
    return Status::Ok();
  }

  // Worth a retry: a node has a number now and had none before.
  bool Hint(Cycle&, const Event& event, const Pod&) {
    const NodeView now = event.new_node(), before = event.old_node();
    if (!now || !NumberOf(now.labels().Get(label_))) return false;
    return !before || !NumberOf(before.labels().Get(label_));
  }

 private:
  std::optional<int64_t> NumberOf(Id value) const {
    return value == kNoId ? std::nullopt : priority::ReadInteger(host_.Text(value));
  }

  // "Node" occurs twice, because users of this plugin know this text from kube-scheduler.
  std::string Reason(Id node, Id value) const {
    std::string reason = "Node:Node: " + std::string(host_.Text(node));
    if (value == kNoId) return reason + " does not have label " + std::string(kLabel);
    return reason + " does not have an integer in label " + std::string(kLabel) + ": " + Quoted(host_.Text(value));
  }

  Host& host_;
  const Id label_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::Priority);
