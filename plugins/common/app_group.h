// Which AppGroup (appgroup.diktyo.x-k8s.io/v1alpha1) a pod belongs to, and which of its workloads it is a replica of.
// Source: the labels of github.com/diktyo-io/appgroup-api, pkg/networkaware/util/util.go of
// kubernetes-sigs/scheduler-plugins. Thread: any. Ownership: owns the ids of the keys until the instance ends.
#pragma once

#include <berth/plugin.hpp>

#include <string_view>

namespace plugins {

inline constexpr std::string_view kAppGroupApi = "appgroup.diktyo.x-k8s.io";
inline constexpr std::string_view kAppGroupLabel = "appgroup.diktyo.x-k8s.io";
inline constexpr std::string_view kWorkloadLabel = "appgroup.diktyo.x-k8s.io.workload";

class AppGroupLabels {
 public:
  explicit AppGroupLabels(berth::sdk::Host& host)
      : group_(host.Intern(kAppGroupLabel)), workload_(host.Intern(kWorkloadLabel)) {}

  // kNoId: the pod belongs to no group. An empty value names no group.
  berth::sdk::Id GroupOf(const berth::sdk::Pod& pod) const {
    const berth::sdk::Id group = pod.labels().Get(group_);
    return group == berth::sdk::kEmptyId ? berth::sdk::kNoId : group;
  }
  // The selector of the workload; kEmptyId if the pod has no such label.
  berth::sdk::Id WorkloadOf(const berth::sdk::Pod& pod) const {
    const berth::sdk::Id workload = pod.labels().Get(workload_);
    return workload == berth::sdk::kNoId ? berth::sdk::kEmptyId : workload;
  }

 private:
  const berth::sdk::Id group_, workload_;
};

}  // namespace plugins
