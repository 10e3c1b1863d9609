// The interface of an extender, a process outside of the scheduler that filters and scores nodes, binds pods, and
// changes the victims of a preemption. host/scheduler/extender implements it over HTTP.
// Source: the Extender interface of k8s.io/kube-scheduler/framework and the types of k8s.io/kube-scheduler/extender/v1.
//
// Thread: any, several at the same time. Filter, Prioritize, Bind, and ProcessPreemption block until the extender
// replies, at most its httpTimeout; an HTTP extender must not be called on a thread of host/client/http.
// Ownership: the extender reads views during the call only; results belong to the caller. Errors have the text of
// kube-scheduler if it has one. The caller decides whether to ignore the error of an ignorable() extender.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "base/intern.h"
#include "base/result.h"

namespace berth::framework {

// The unschedulable plugin of a pod that an extender rejected. Source: ExtenderName in pkg/scheduler/framework.
inline constexpr const char* kExtenderName = "Extender";
// The highest score of an extender; it is not checked. An extender adds score * weight * kExtenderScoreScale to the
// total of a node. Source: MaxExtenderPriority; prioritizeNodes in pkg/scheduler/schedule_one.go.
inline constexpr int64_t kMaxExtenderPriority = 10;
inline constexpr int64_t kExtenderScoreScale = 100 / kMaxExtenderPriority;

// A node to filter or score. manifest: the v1.Node as JSON; not read if needs_manifests() is false.
struct ExtenderNode {
  std::string_view name;
  std::string_view manifest;
};

struct ExtenderFailedNode {
  std::string node;     // can be a node that was not sent
  std::string message;  // can be empty
  bool unresolvable = false;
};

// A node in neither list is rejected without a reason, which is valid.
struct ExtenderFilterResult {
  std::vector<uint32_t> passed;            // indices of the nodes that were sent, in the order of the reply, each once
  std::vector<ExtenderFailedNode> failed;  // each node once; unresolvable has precedence, then the last entry
};

struct HostPriority {
  std::string host;  // can be a node that was not sent
  int64_t score = 0;
};

struct ExtenderPriorities {
  std::vector<HostPriority> scores;  // in the order of the reply; nodes can be missing or occur twice (both count)
  int64_t weight = 0;                // 0 if the extender has no prioritize verb
};

// A pod to evict. manifest: the v1.Pod as JSON; not read if needs_manifests() is false.
struct VictimPod {
  std::string uid;
  std::string_view manifest;
};
struct Victims {
  std::vector<VictimPod> pods;
  int64_t pdb_violations = 0;
};
using NodeNameToVictims = std::map<std::string, Victims, std::less<>>;

// The reply to ProcessPreemption. A node without an entry is not a candidate any more. Nodes and uids can differ from
// those that were sent; the caller looks them up among all pods of the node.
struct MetaVictims {
  std::vector<std::string> uids;
  int64_t pdb_violations = 0;
};
using NodeNameToMetaVictims = std::map<std::string, MetaVictims, std::less<>>;

// Source: ExtenderBindingArgs.
struct ExtenderBinding {
  std::string_view pod_name, pod_namespace, pod_uid, node;
};

struct ExtenderTraits {
  std::string name;  // the urlPrefix of the configuration
  int64_t weight = 0;
  bool ignorable = false;
  bool has_filter = false, has_prioritize = false, has_bind = false, has_preempt = false;
  bool node_cache_capable = false;
};

class Extender {
 public:
  // managed: names of resources; if empty, the extender is interested in every pod. intern outlives the object.
  Extender(ExtenderTraits traits, const std::vector<std::string>& managed, api::InternTables& intern);
  virtual ~Extender() = default;
  Extender(const Extender&) = delete;

  const std::string& name() const { return traits_.name; }
  int64_t weight() const { return traits_.weight; }
  bool ignorable() const { return traits_.ignorable; }
  bool has_filter() const { return traits_.has_filter; }
  bool has_prioritize() const { return traits_.has_prioritize; }
  bool has_bind() const { return traits_.has_bind; }
  bool has_preempt() const { return traits_.has_preempt; }
  // Whether nodes and victims are sent as whole objects instead of names and uids. The pod is always sent whole.
  bool needs_manifests() const { return !traits_.node_cache_capable; }

  // Whether a container or init container requests or limits a managed resource, even with 0. Takes no lock.
  bool IsInterested(const api::Pod& pod) const;

  // pod: the v1.Pod as JSON. Without a filter verb every node passes and no request is sent. Upstream replaces its
  // nodes by those of the reply, which have no pods; Berth reads only their names (docs/differences.md).
  virtual base::Result<ExtenderFilterResult> Filter(std::string_view pod, std::span<const ExtenderNode> nodes) = 0;
  // Without a prioritize verb every node gets 0 with weight 0, and no request is sent.
  virtual base::Result<ExtenderPriorities> Prioritize(std::string_view pod, std::span<const ExtenderNode> nodes) = 0;
  // After an error, such as a timeout, the pod can be bound nevertheless.
  virtual base::Result<void> Bind(const ExtenderBinding& binding) = 0;
  virtual base::Result<NodeNameToMetaVictims> ProcessPreemption(std::string_view pod,
                                                                const NodeNameToVictims& victims) = 0;

  // Ends open calls with an error; later calls fail. Can be called more than once.
  virtual void Close() {}

 private:
  const ExtenderTraits traits_;
  std::vector<base::OwnedId> managed_;
};

// Errors of ProcessPreemption that only its caller can find. Source: convertToVictims in pkg/scheduler/extender.go and
// callExtenders in pkg/scheduler/framework/preemption/preemption.go.
std::string VictimNotFoundText(std::string_view extender, std::string_view uid, std::string_view node);
std::string NodeNotFoundText(std::string_view node);
std::string NoVictimText(std::string_view node);

}  // namespace berth::framework
