// The cluster's PodDisruptionBudgets, read from the host's object store when they have changed. Serial; owns the
// compiled selectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/matching.hpp"
#include "berth/objects.hpp"
#include "berth/preemption/budgets.hpp"

namespace berth::sdk::preemption {

class BudgetSource {
 public:
  // In the plugin's constructor.
  explicit BudgetSource(Host& host) : host_(&host), objects_(host), matching_(host) {}
  BudgetSource(const BudgetSource&) = delete;
  BudgetSource& operator=(const BudgetSource&) = delete;

  // In Activate.
  void Need() { kind_ = objects_.Need("policy", "v1", "poddisruptionbudgets"); }

  // The current budgets; valid until the running call returns.
  Budgets& Current() {
    const uint64_t version = objects_.Version(kind_);
    if (version != version_) Read();
    version_ = version;
    return budgets_;
  }
  // For Budgets::MarkViolating.
  bool Matches(uint32_t i, const Pod& pod) const {
    return selectors_[i] != nullptr && matching_.Matches(selectors_[i], pod->labels);
  }

 private:
  void Read() {
    Forget();
    for (const Object budget : objects_.All(kind_)) {
      const berth_selector* selector = matching_.Keep(budget.At("spec", "selector"));
      selectors_.push_back(SelectsSome(selector) ? selector : nullptr);
      kept_.push_back(selector);
      budgets_.Add(BudgetOf(budget));
    }
  }
  Budget BudgetOf(const Object& object) {
    Budget budget;
    budget.ns = host_->Intern(object.ns());
    namespaces_.push_back(budget.ns);
    budget.allowed = static_cast<int32_t>(object.At("status", "disruptionsAllowed").AsInt());
    const Value disrupted = object.At("status", "disruptedPods");
    for (uint32_t i = 0; i < disrupted.size(); ++i) budget.disrupted.emplace_back(disrupted.KeyAt(i));
    return budget;
  }
  void Forget() {
    budgets_.Clear();
    for (const berth_selector* selector : kept_) {
      if (selector != nullptr) matching_.Drop(selector);
    }
    for (const Id ns : namespaces_) host_->Drop(ns);
    selectors_.clear();
    kept_.clear();
    namespaces_.clear();
  }
  // A budget whose selector is nil or empty protects no pod.
  static bool SelectsSome(const berth_selector* selector) {
    return selector != nullptr && (selector->has & BERTH_SELECTOR_SET) != 0 &&
           (selector->labels.n != 0 || selector->expressions.n != 0);
  }

  Host* host_;
  Objects objects_;
  Matching matching_;
  ObjectKind kind_ = 0;
  uint64_t version_ = 0;  // a value that the host never returns
  Budgets budgets_;
  std::vector<const berth_selector*> selectors_;  // per budget; null: it protects no pod
  std::vector<const berth_selector*> kept_;
  std::vector<Id> namespaces_;
};

}  // namespace berth::sdk::preemption
