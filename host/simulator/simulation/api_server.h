// The simulated API server's answers to plugins' requests. Plugins can read and delete pods, patch their status, and
// read, create, change, and delete objects that some plugin needs, and read the NodeMetrics of the manifests. A request
// takes effect at once. Its answer waits until Reply, so no plugin is called back inside a call. Graceful deletion
// takes no time. A pod shows only its metadata, spec.nodeName, and the parts of the status that the scheduler writes.
//
// Thread: any for Send and Event; the simulation's thread for Reply and the functions below it. Ownership: the cluster
// must outlive it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "plugin/instance/ports.h"
#include "simulator/simulation/virtual_cluster.h"
#include "simulator/simulation/volume_controller.h"

namespace berth::simulation {

class ApiServer final : public plugin::ApiPort {
 public:
  explicit ApiServer(Cluster& cluster) : cluster_(cluster), volumes_(cluster) {}

  void Send(plugin::ApiRequest request, Done done) override;
  void Event(plugin::PodEvent event) override;

  // Delivers the pending answers, and those to the requests that follow from them. Returns false if there were none.
  bool Reply();
  // "namespace/name" of the pods deleted since the last call, in order.
  std::vector<std::string> TakeDeletedPods();

 private:
  struct Pending {
    Done done;
    plugin::ApiAnswer answer;
    std::optional<plugin::ApiRequest> metrics;  // its answer is made in Reply, when the manifests have been read
  };
  plugin::ApiAnswer Serve(const plugin::ApiRequest& request) REQUIRES(serving_);
  // pod_requests.cc
  plugin::ApiAnswer ServePod(const plugin::ApiRequest& request) REQUIRES(serving_);
  plugin::ApiAnswer DeletePod(const plugin::ApiRequest& request, const api::Pod& pod) REQUIRES(serving_);
  plugin::ApiAnswer PatchPodStatus(const plugin::ApiRequest& request, const api::Pod& pod) REQUIRES(serving_);
  // object_requests.cc
  plugin::ApiAnswer ServeObject(const plugin::ApiRequest& request, objects::KindId kind) REQUIRES(serving_);
  plugin::ApiAnswer Create(const plugin::ApiRequest& request, objects::KindId kind) REQUIRES(serving_);
  plugin::ApiAnswer Replace(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before)
      REQUIRES(serving_);
  plugin::ApiAnswer Patch(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before)
      REQUIRES(serving_);
  plugin::ApiAnswer Delete(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before)
      REQUIRES(serving_);
  plugin::ApiAnswer Store(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before,
                          json::Value after) REQUIRES(serving_);

  Cluster& cluster_;
  base::Mutex serving_;  // one request at a time
  VolumeController volumes_ GUARDED_BY(serving_);
  base::Mutex mutex_;
  std::deque<Pending> answers_ GUARDED_BY(mutex_);
  std::vector<std::string> deleted_pods_ GUARDED_BY(mutex_);
};

// The error if a precondition of a DELETE does not hold for this object; "": all hold. body: DeleteOptions.
std::string BrokenPrecondition(const json::Value& options, std::string_view uid, std::string_view resource_version);

}  // namespace berth::simulation
