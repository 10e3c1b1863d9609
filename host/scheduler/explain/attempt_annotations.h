// The annotations that kube-scheduler-simulator writes to a pod, as far as a recorded attempt knows their values:
// filter-result, finalscore-result, and selected-node. Source: sigs.k8s.io/kube-scheduler-simulator
// simulator/scheduler/plugin/resultstore/store.go. Thread: any, unless noted.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/decisions/node_table.h"
#include "scheduler/engine/annotation_source.h"

namespace berth::explain {

inline constexpr std::string_view kAnnotationPrefix = "kube-scheduler-simulator.sigs.k8s.io/";
// Of one pod. A node that does not fit into the bytes any more is left out.
inline constexpr size_t kMaxAnnotatedNodes = 100, kMaxAnnotationBytes = 64 << 10;

struct AnnotatedAttempt {
  std::shared_ptr<const decisions::NodeTable> table = {};  // null: not recorded
  std::vector<std::string> filters = {};                   // the Filter plugins of the profile
  std::string node = {};                                   // "": not bound
};

engine::Annotations AnnotationsOf(const AnnotatedAttempt& attempt);

// The rows that are shown, at most `most`: the node of the pod, one node for each rejection (in at most half of the
// places), the highest totals, and more rejected nodes. In the order of the names.
std::vector<uint32_t> AnnotatedRows(const decisions::NodeTable& table, std::string_view node, size_t most);

// A failed attempt without a table leaves the annotations as they are. Thread: After on the scheduling thread.
class AttemptAnnotations final : public engine::AnnotationSource {
 public:
  engine::MakeAnnotations After(const framework::Profile& profile, std::shared_ptr<const decisions::NodeTable> table,
                                std::string_view node) override;
};

}  // namespace berth::explain
