// The simulated API server's answers to plugins' requests: pods are read, deleted and have their status patched,
// objects that some plugin needs are read, made, changed and deleted. What a request does it does at once; its answer
// waits until Reply, so that no plugin is called back in the middle of a call. Graceful deletion takes no time: the pod
// is gone. Of a pod only metadata, spec.nodeName and the parts of the status that the scheduler writes are there to
// see.
//
// Thread: Send and Event from any; Reply and what follows it on the thread of the simulation. Ownership: the cluster
// outlives it.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "plugin/ports.h"
#include "simulate/cluster.h"
#include "simulate/volume_controller.h"

namespace berth::simulate {

class ApiServer final : public plugin::ApiPort {
 public:
  explicit ApiServer(Cluster& cluster) : cluster_(cluster), volumes_(cluster) {}

  void Send(plugin::ApiRequest request, Done done) override;
  void Event(plugin::PodEvent event) override;

  // Hands over the answers that wait, and those to what is asked because of them. false: there were none.
  bool Reply();
  // "namespace/name" of the pods that were deleted since the last call, in order.
  std::vector<std::string> TakeDeletedPods();

 private:
  plugin::ApiAnswer Serve(const plugin::ApiRequest& request);
  // pod_requests.cc
  plugin::ApiAnswer ServePod(const plugin::ApiRequest& request);
  plugin::ApiAnswer DeletePod(const plugin::ApiRequest& request, const api::Pod& pod);
  plugin::ApiAnswer PatchPodStatus(const plugin::ApiRequest& request, const api::Pod& pod);
  // object_requests.cc
  plugin::ApiAnswer ServeObject(const plugin::ApiRequest& request, objects::KindId kind);
  plugin::ApiAnswer Create(const plugin::ApiRequest& request, objects::KindId kind);
  plugin::ApiAnswer Replace(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before);
  plugin::ApiAnswer Patch(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before);
  plugin::ApiAnswer Delete(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before);
  plugin::ApiAnswer Store(const plugin::ApiRequest& request, objects::KindId kind, const objects::Object& before,
                          json::Value after);

  Cluster& cluster_;
  VolumeController volumes_;
  std::mutex serving_;  // one request at a time
  std::mutex mutex_;    // guards what follows
  std::deque<std::pair<Done, plugin::ApiAnswer>> answers_;
  std::vector<std::string> deleted_pods_;
};

// What a precondition of a DELETE says against this object; "" when it holds or there is none. body: DeleteOptions.
std::string BrokenPrecondition(const json::Value& options, std::string_view uid, std::string_view resource_version);

}  // namespace berth::simulate
