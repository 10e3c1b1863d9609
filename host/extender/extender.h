// An extender: a server that is asked over HTTP what it thinks of nodes, and that may bind pods in our place. Here is
// what is asked and answered; whom to ask when, and what becomes of the answers, is cycle's and bind's business.
// Source: pkg/scheduler/extender.go, k8s.io/kube-scheduler/extender/v1; core.md 9.
//
// Thread: all functions from any thread, at the same time. Filter, Prioritize, Bind and ProcessPreemption block for a
// whole HTTP exchange, at most the extender's httpTimeout; they must not be called on a thread of host/http. Ownership:
// views are read during the call only; what comes back is the caller's.
// Errors are kube-scheduler's texts where it has one. Whether an error may be ignored (ignorable()) the caller decides.
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

namespace berth::extender {

// The name under which a pod is kept that extenders have rejected: upstream's pseudo plugin.
inline constexpr const char* kPluginName = "Extender";
// What an extender's scores reach up to, by agreement; nobody checks. A contribution to a node's total is
// score * weight * kScoreScale.
inline constexpr int64_t kMaxScore = 10;
inline constexpr int64_t kScoreScale = 100 / kMaxScore;

// A node to be judged. manifest: the v1.Node as JSON; not looked at when needs_manifests() is false.
struct Asked {
  std::string_view name;
  std::string_view manifest;
};

struct Refusal {
  std::string node;     // as the extender wrote it: it may name a node that nobody asked about
  std::string message;  // may be empty
  bool unresolvable = false;
};

// What Filter left over. A node that is neither passed nor refused was dropped without a word, which is allowed.
struct Filtered {
  std::vector<uint32_t> passed;  // indices of the asked nodes, in the extender's order, each once
  std::vector<Refusal> refused;  // each node once: unresolvable wins over not, else the last said
};

struct HostScore {
  std::string host;  // may name a node that nobody asked about
  int64_t score = 0;
};

struct Prioritized {
  std::vector<HostScore> scores;  // the extender's order; may lack nodes, or have one twice (both count)
  int64_t weight = 0;             // 0 where the extender has no prioritize verb
};

// A pod that would have to go. manifest: the v1.Pod as JSON; not looked at when needs_manifests() is false.
struct VictimPod {
  std::string uid;
  std::string_view manifest;
};
struct Victims {
  std::vector<VictimPod> pods;
  int64_t pdb_violations = 0;
};
using VictimsByNode = std::map<std::string, Victims, std::less<>>;

// The extender's answer: uids only. A node without an entry is no candidate any more. Neither the nodes nor the uids
// need be among those asked; the caller looks them up among all pods of the node (texts for what is missing below).
struct MetaVictims {
  std::vector<std::string> uids;
  int64_t pdb_violations = 0;
};
using MetaVictimsByNode = std::map<std::string, MetaVictims, std::less<>>;

// v1.Binding, as an extender wants it.
struct Binding {
  std::string_view pod_name, pod_namespace, pod_uid, node;
};

struct Traits {
  std::string name;  // the urlPrefix, as configured
  int64_t weight = 0;
  bool ignorable = false;
  bool has_filter = false, has_prioritize = false, has_bind = false, has_preempt = false;
  bool node_cache_capable = false;
};

class Extender {
 public:
  // managed: names of resources; none: every pod is of interest. words outlives this.
  Extender(Traits traits, const std::vector<std::string>& managed, api::Vocabulary& words);
  virtual ~Extender() = default;
  Extender(const Extender&) = delete;

  const std::string& name() const { return traits_.name; }
  int64_t weight() const { return traits_.weight; }
  bool ignorable() const { return traits_.ignorable; }
  bool has_filter() const { return traits_.has_filter; }
  bool has_prioritize() const { return traits_.has_prioritize; }
  bool has_bind() const { return traits_.has_bind; }
  bool has_preempt() const { return traits_.has_preempt; }
  // Nodes and victims are sent whole, not by name and uid. (The pod always is.)
  bool needs_manifests() const { return !traits_.node_cache_capable; }

  // Does a container or init container request or limit one of the managed resources, be it with 0? Takes no lock.
  bool IsInterested(const api::Pod& pod) const;

  // pod: its v1.Pod as JSON. Without a filter verb every node passes, nobody is asked. Upstream makes of Nodes that
  // come back whole bare nodes without pods, for all that follows; here their names count, and they stay the nodes they
  // are.
  virtual base::Result<Filtered> Filter(std::string_view pod, std::span<const Asked> nodes) = 0;
  // Without a prioritize verb: 0 for every node, weight 0, nobody is asked.
  virtual base::Result<Prioritized> Prioritize(std::string_view pod, std::span<const Asked> nodes) = 0;
  // The extender may have bound the pod in spite of an error, a timeout above all.
  virtual base::Result<void> Bind(const Binding& binding) = 0;
  virtual base::Result<MetaVictimsByNode> ProcessPreemption(std::string_view pod, const VictimsByNode& victims) = 0;

  // Calls under way and all that follow fail soon. Once or more often.
  virtual void Close() {}

 private:
  const Traits traits_;
  std::vector<base::OwnedId> managed_;
};

// Upstream's errors about an answer of ProcessPreemption that only its caller can find wrong.
std::string VictimNotFoundText(std::string_view extender, std::string_view uid, std::string_view node);
std::string NodeNotFoundText(std::string_view node);
std::string NoVictimText(std::string_view node);

}  // namespace berth::extender
