#include "simulate/cluster.h"

namespace berth::simulate {
namespace {

// A changed copy; change may set any member before it is sealed.
template <class Fn>
api::PodRef Changed(api::Vocabulary& words, const api::Pod& pod, Fn&& change) {
  auto* copy = new api::Pod(words);
  copy->CopyFrom(pod);
  change(*copy);
  copy->Seal();
  return api::PodRef(copy);
}

}  // namespace

void Cluster::SetNode(api::NodeRef node) {
  nodes_.insert_or_assign(node->name, node);
  ++version_;
  if (engine_ != nullptr) engine_->Post(engine::NodeSet{std::move(node)});
}

bool Cluster::RemoveNode(std::string_view name) {
  auto it = nodes_.find(name);
  if (it == nodes_.end()) return false;
  ++version_;
  if (engine_ != nullptr) engine_->Post(engine::NodeGone{it->first});
  nodes_.erase(it);
  return true;
}

void Cluster::SetPod(api::PodRef pod) {
  const api::PodRef before = FindPod(pod->key());
  if (before && before->uid == pod->uid && before->abi.node_name != base::kNoId && pod->abi.node_name == base::kNoId) {
    pod = api::WithNodeName(words_, *pod, words_.ids.Text(before->abi.node_name));
  }
  if (before && before->resource_version == pod->resource_version) {
    pod = Changed(words_, *pod, [&](api::Pod& p) { p.resource_version = NextResourceVersion(); });
  }
  ++version_;
  Publish(std::move(pod));
}

void Cluster::Publish(api::PodRef pod) {
  pods_.insert_or_assign(pod->key(), pod);
  if (engine_ != nullptr) engine_->Post(engine::PodSet{std::move(pod)});
}

bool Cluster::RemovePod(std::string_view key) {
  auto it = pods_.find(key);
  if (it == pods_.end()) return false;
  ++version_;
  if (engine_ != nullptr) engine_->Post(engine::PodGone{it->first});
  pods_.erase(it);
  return true;
}

api::PodRef Cluster::FindPod(std::string_view key) const {
  auto it = pods_.find(key);
  return it == pods_.end() ? api::PodRef() : it->second;
}

std::vector<api::PodRef> Cluster::PendingPods() const {
  std::vector<api::PodRef> out;
  for (const auto& [key, pod] : pods_) {
    if (pod->abi.node_name == base::kNoId && !pod->terminal()) out.push_back(pod);
  }
  return out;
}

void Cluster::Bind(const berth_pod& pod, std::string_view node, berth_op* op) {
  const std::string key = std::string(words_.ids.Text(pod.ns)) + "/" + std::string(pod.name.ptr, pod.name.len);
  const api::PodRef now = FindPod(key);
  const std::string_view uid(pod.uid.ptr, pod.uid.len);
  std::string refusal;
  if (!now || now->uid != uid) {
    refusal = "pods \"" + std::string(pod.name.ptr, pod.name.len) + "\" not found";
  } else if (now->abi.node_name != base::kNoId) {
    refusal = "Operation cannot be fulfilled on pods/binding \"" + now->name + "\": pod " + now->name +
              " is already assigned to node \"" + std::string(words_.ids.Text(now->abi.node_name)) + "\"";
  }
  if (!refusal.empty()) {
    const berth_str text{refusal.data(), refusal.size()};
    return op->done(op, BERTH_ERROR, &text, 1);
  }
  ++version_;
  Publish(Changed(words_, *now, [&](api::Pod& p) {
    p.SetNodeName(node);
    p.SetNominatedNode("");  // ClearingNominatedNodeNameAfterBinding
    p.scheduled_condition = {"True", "", ""};
    p.resource_version = NextResourceVersion();
  }));
  op->done(op, BERTH_SUCCESS, nullptr, 0);
}

void Cluster::PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) {
  const api::PodRef now = FindPod(pod->key());
  if (!now || now->uid != pod->uid) return;  // gone meanwhile, as a NotFound would say
  Publish(Changed(words_, *now, [&](api::Pod& p) {
    if (patch.condition) p.scheduled_condition = *patch.condition;
    if (patch.nominated_node) p.SetNominatedNode(*patch.nominated_node);
    p.resource_version = NextResourceVersion();
  }));
}

void Cluster::Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view,
                    std::string note) {
  events_.push_back({pod.key(), std::string(type), std::string(reason), std::move(note)});
}

}  // namespace berth::simulate
