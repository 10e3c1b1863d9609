#include "scheduler/explain/sentences.h"

#include <algorithm>
#include <limits>

#include "base/clock.h"
#include "base/text.h"

namespace berth::explain {
namespace {

constexpr size_t kMaxGroups = 6;

std::string Nodes(uint64_t n) { return Grouped(n) + (n == 1 ? " node" : " nodes"); }

// What the nodes of the group do, after their number. Reasons that begin with upstream's "node(s) " are phrases
// already.
std::string Phrase(const Group& group) {
  constexpr std::string_view kLackPrefix = "Insufficient ", kNodesPrefix = "node(s) ";
  const std::string_view reason = group.reason;
  const bool one = group.nodes == 1;
  if (reason.starts_with(kLackPrefix)) {
    return (one ? "lacks " : "lack ") + std::string(reason.substr(kLackPrefix.size()));
  }
  if (group.plugin == "NodeResourcesFit" && reason == "Too many pods") {
    return one ? "has as many pods as it may have" : "have as many pods as they may have";
  }
  if (group.plugin == "TaintToleration") {
    return one ? "has a taint that the pod does not tolerate" : "have a taint that the pod does not tolerate";
  }
  if (group.plugin == "NodeUnschedulable") return one ? "is cordoned" : "are cordoned";
  if (reason.starts_with(kNodesPrefix)) return std::string(reason.substr(kNodesPrefix.size()));
  std::string by = group.plugin.empty() ? "" : "rejected by " + group.plugin;
  if (reason.empty()) return by;
  return by + (by.empty() ? "" : ": ") + std::string(reason);
}

std::string GroupsText(const std::vector<Group>& groups) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(kMaxGroups, groups.size()); ++i) texts.push_back(GroupText(groups[i]));
  if (groups.size() > kMaxGroups)
    texts.push_back("and " + std::to_string(groups.size() - kMaxGroups) + " more reasons");
  return base::Join(texts, "; ");
}

std::string FitText(const Explanation& e) {
  if (!e.failure.empty()) return "The evaluation failed: " + e.failure + ".";
  if (e.n_nodes == 0) return "The cluster has no nodes.";
  if (e.n_fitting != 0) {
    return "It fits on " + Grouped(e.n_fitting) + " of " + Nodes(e.n_nodes) + " now.";
  }
  if (e.groups.empty()) return "0 of " + Nodes(e.n_nodes) + " fit.";
  return "0 of " + Nodes(e.n_nodes) + " fit: " + GroupsText(e.groups) + ".";
}

std::string Seconds(int64_t ns) { return std::to_string((ns + base::kSecond - 1) / base::kSecond) + " s"; }

// "A", "A or B", "A, B, or C".
std::string Alternatives(const std::vector<std::string>& names) {
  if (names.size() < 3) return base::Join(names, " or ");
  return base::Join(std::vector<std::string>(names.begin(), names.end() - 1), ", ") + ", or " + names.back();
}

std::string QueueText(const QueueFacts& queue, int64_t now) {
  if (queue.where == "active") return "It is in the active queue, and its next attempt comes soon.";
  if (queue.where == "backoff") {
    const int64_t left = queue.backoff_until_unix_ns - now;
    if (queue.backoff_until_unix_ns == std::numeric_limits<int64_t>::min() || left <= 0) {
      return "Its backoff is over, and its next attempt comes soon.";
    }
    return "It is tried again after its backoff, in " + Seconds(left) + " at the latest.";
  }
  if (queue.where != "unschedulable") return "";
  if (queue.waits_for.empty()) return "It is tried again when the cluster changes.";
  return "It is tried again when an event can change the answer of " + Alternatives(queue.waits_for) +
         ", and after 5 minutes (the default) at the latest.";
}

std::string PendingText(const Explanation& e, int64_t now) {
  if (e.deleted) return "It is being deleted, so it is not scheduled.";
  std::vector<std::string> sentences{FitText(e)};
  if (const std::string queue = QueueText(e.queue, now); !queue.empty()) sentences.push_back(queue);
  if (e.decision != nullptr && !e.decision->nominated_node.empty()) {
    sentences.push_back("Preemption has nominated it to " + e.decision->nominated_node +
                        ", where other pods make room for it.");
  }
  return base::Join(sentences, " ");
}

// The row with the highest total except the chosen one; n_rows() if there is none.
uint32_t SecondBest(const decisions::NodeTable& table, uint32_t chosen) {
  uint32_t best = table.n_rows();
  for (uint32_t row = 0; row < table.n_rows(); ++row) {
    if (row == chosen || !table.Passed(row)) continue;
    if (best == table.n_rows() || table.TotalOf(row) > table.TotalOf(best)) best = row;
  }
  return best;
}

// "; the difference comes from ImageLocality (40)": the plugins that prefer the chosen node to the other one most.
std::string Preferences(const decisions::NodeTable& table, uint32_t chosen, uint32_t other) {
  std::vector<std::pair<int64_t, std::string>> gains;
  for (const decisions::NodeTable::Scores& scores : table.scores) {
    const int64_t gain = scores.weighted.At(chosen) - scores.weighted.At(other);
    if (gain > 0) gains.emplace_back(gain, scores.plugin);
  }
  std::stable_sort(gains.begin(), gains.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min<size_t>(3, gains.size()); ++i) {
    texts.push_back(gains[i].second + " (" + std::to_string(gains[i].first) + ")");
  }
  return texts.empty() ? "" : "; the difference comes from " + base::Join(texts, ", ");
}

std::string ChoiceText(const decisions::Decision& decision) {
  if (decision.evaluated_nodes <= 1) return "No other node was examined.";
  if (decision.feasible_nodes <= 1) {
    return "It was the only one that fits of the " + Grouped(decision.evaluated_nodes) + " nodes that were examined.";
  }
  std::string text =
      "The pod fits on " + Nodes(decision.feasible_nodes) + " of " + Grouped(decision.evaluated_nodes) + ".";
  if (decision.nodes == nullptr || !decision.nodes->scored()) return text;
  const decisions::NodeTable& table = *decision.nodes;
  const uint32_t chosen = table.Find(decision.node);
  const uint32_t other = chosen == table.n_rows() ? chosen : SecondBest(table, chosen);
  if (other == table.n_rows()) return text;
  const std::string total = std::to_string(table.TotalOf(chosen));
  if (decision.ties > 1) {
    return text + " " + Nodes(decision.ties) + " have the highest total, " + total + ", and Berth drew this one.";
  }
  return text + " Its total of " + total + " is the highest. Next is " + std::string(table.NameOf(other)) + " with " +
         std::to_string(table.TotalOf(other)) + Preferences(table, chosen, other) + ".";
}

std::string PlacedText(const Explanation& e) {
  const std::string where =
      e.state == State::kBinding ? "Its binding to " + e.node + " has not ended yet." : "It is on " + e.node + ".";
  if (e.decision == nullptr || e.decision->result != decisions::Result::kScheduled) {
    return where + (e.state == State::kBinding ? "" : " The attempt that placed it is not recorded.");
  }
  return where + " " + ChoiceText(*e.decision);
}

}  // namespace

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string GroupText(const Group& group) {
  return Grouped(group.nodes) + " " + Phrase(group) + (group.detail.empty() ? "" : " (" + group.detail + ")");
}

std::string AttemptSummary(const Explanation& e) {
  if (e.state == State::kScheduled) return PlacedText(e);
  const bool by_filter =
      e.decision->result == decisions::Result::kUnschedulable && e.decision->feasible_nodes == 0 && !e.groups.empty();
  return by_filter ? FitText(e) : e.decision->message;
}

std::string Summary(const Explanation& e, int64_t now) {
  switch (e.state) {
    case State::kForeign: return "No profile of this scheduler serves its schedulerName, \"" + e.profile + "\".";
    case State::kGated: return "It is not tried: " + e.queue.gate;
    case State::kPending: return PendingText(e, now);
    case State::kBinding:
    case State::kScheduled: break;
  }
  return PlacedText(e);
}

}  // namespace berth::explain
