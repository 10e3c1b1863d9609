// An extender without a server: functions of the test give its replies, and it records the calls. Thread: any; calls at
// the same time are recorded in any order.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/extender.h"

namespace berth::fixture {

using Names = std::vector<std::string>;

class FakeExtender final : public framework::Extender {
 public:
  // The extender has the verbs for which there is a function.
  struct Plan {
    std::string name;
    bool ignorable = false;
    int64_t weight = 1;
    bool node_cache_capable = true;
    std::vector<std::string> managed;
    std::function<base::Result<framework::ExtenderFilterResult>(const Names&)> filter;
    std::function<base::Result<framework::ExtenderPriorities>(const Names&)> prioritize;
    std::function<base::Result<void>(const framework::ExtenderBinding&)> bind;
    std::function<base::Result<framework::NodeNameToMetaVictims>(const framework::NodeNameToVictims&)> preempt;
  };

  FakeExtender(Plan plan, api::InternTables& intern)
      : Extender(TraitsOf(plan), plan.managed, intern), plan_(std::move(plan)) {}

  // "filter a b", "prioritize a b", "bind p1 a", "preempt a b", in order.
  std::vector<std::string> Asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::string PodText() const {
    const std::lock_guard lock(mutex_);
    return pod_;
  }

  // The manifest of the first node in the last call.
  std::string NodeText() const {
    const std::lock_guard lock(mutex_);
    return node_;
  }

  base::Result<framework::ExtenderFilterResult> Filter(std::string_view pod,
                                                       std::span<const framework::ExtenderNode> nodes) override {
    {
      const std::lock_guard lock(mutex_);
      node_ = nodes.front().manifest;
    }
    return plan_.filter(Keep("filter", pod, NamesOf(nodes)));
  }
  base::Result<framework::ExtenderPriorities> Prioritize(std::string_view pod,
                                                         std::span<const framework::ExtenderNode> nodes) override {
    auto answer = plan_.prioritize(Keep("prioritize", pod, NamesOf(nodes)));
    if (answer) answer->weight = weight();
    return answer;
  }
  base::Result<void> Bind(const framework::ExtenderBinding& binding) override {
    Keep("bind", "",
         {std::string(binding.pod_namespace) + "/" + std::string(binding.pod_name), std::string(binding.pod_uid),
          std::string(binding.node)});
    return plan_.bind(binding);
  }
  base::Result<framework::NodeNameToMetaVictims> ProcessPreemption(
      std::string_view pod, const framework::NodeNameToVictims& victims) override {
    Names nodes;
    for (const auto& [node, of_node] : victims) nodes.push_back(node);
    Keep("preempt", pod, std::move(nodes));
    return plan_.preempt(victims);
  }

 private:
  static framework::ExtenderTraits TraitsOf(const Plan& plan) {
    return {.name = plan.name,
            .weight = plan.weight,
            .ignorable = plan.ignorable,
            .has_filter = plan.filter != nullptr,
            .has_prioritize = plan.prioritize != nullptr,
            .has_bind = plan.bind != nullptr,
            .has_preempt = plan.preempt != nullptr,
            .node_cache_capable = plan.node_cache_capable};
  }
  static Names NamesOf(std::span<const framework::ExtenderNode> nodes) {
    Names names;
    for (const framework::ExtenderNode& node : nodes) names.emplace_back(node.name);
    return names;
  }
  Names Keep(const std::string& what, std::string_view pod, Names names) {
    const std::lock_guard lock(mutex_);
    std::string line = what;
    for (const std::string& name : names) line += " " + name;
    asked_.push_back(std::move(line));
    pod_ = pod;
    return names;
  }

  const Plan plan_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::string> asked_;
  std::string pod_, node_;
};

// A filter that lets these nodes pass and rejects the others with a message ("": drops them without a message).
inline auto Passes(Names wanted, std::string message = "", bool unresolvable = false) {
  return [wanted = std::move(wanted), message = std::move(message),
          unresolvable](const Names& nodes) -> base::Result<framework::ExtenderFilterResult> {
    framework::ExtenderFilterResult out;
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (std::find(wanted.begin(), wanted.end(), nodes[i]) != wanted.end()) {
        out.passed.push_back(i);
      } else if (!message.empty()) {
        out.failed.push_back({nodes[i], message, unresolvable});
      }
    }
    return out;
  };
}

}  // namespace berth::fixture
