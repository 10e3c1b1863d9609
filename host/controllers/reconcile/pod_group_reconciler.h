// The controller of PodGroups: status.phase and the numbers of pods. Source: kubernetes-sigs/scheduler-plugins
// pkg/controllers/podgroup_controller.go. Differs: a group has only pods of its own namespace, and only changes are
// written. Thread: that of the loop. Ownership: pods outlives the object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/reconcile/object_table.h"
#include "controllers/reconcile/pod_table.h"
#include "controllers/reconcile/reconciler.h"
#include "controllers/rules/pod_group.h"

namespace berth::reconcile {

class PodGroupReconciler final : public Reconciler {
 public:
  explicit PodGroupReconciler(const PodTable& pods) : pods_(pods) {}
  ObjectTable<rules::PodGroup>& groups() { return groups_; }

  // A key is that of a group.
  std::vector<std::string> Keys() const override;
  Decision Decide(const std::string& key) const override;
  std::optional<events::EventRecord> OnWritten(std::string_view object) override;

 private:
  const PodTable& pods_;
  ObjectTable<rules::PodGroup> groups_;
};

}  // namespace berth::reconcile
