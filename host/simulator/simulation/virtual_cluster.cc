#include "simulator/simulation/virtual_cluster.h"

namespace berth::simulation {
namespace {

// A copy of the pod that `change` may modify before it is sealed.
template <class Fn>
api::PodRef Changed(api::InternTables& intern, const api::Pod& pod, Fn&& change) {
  auto* copy = new api::Pod(intern);
  copy->CopyFrom(pod);
  change(*copy);
  return api::PodRef(copy);
}

}  // namespace

void Cluster::SetNode(api::NodeRef node) {
  base::MutexLock lock(mutex_);
  nodes_.insert_or_assign(node->name, node);
  ++version_;
  if (engine_ != nullptr) engine_->Post(engine::NodeSet{std::move(node)});
}

api::NodeRef Cluster::FindNode(std::string_view name) const {
  base::MutexLock lock(mutex_);
  const auto it = nodes_.find(name);
  return it == nodes_.end() ? api::NodeRef() : it->second;
}

uint64_t Cluster::version() const {
  base::MutexLock lock(mutex_);
  return version_;
}

bool Cluster::RemoveNode(std::string_view name) {
  base::MutexLock lock(mutex_);
  auto it = nodes_.find(name);
  if (it == nodes_.end()) return false;
  ++version_;
  if (engine_ != nullptr) engine_->Post(engine::NodeGone{it->first});
  nodes_.erase(it);
  return true;
}

void Cluster::SetPod(api::PodRef pod) {
  base::MutexLock lock(mutex_);
  const api::PodRef before = Find(pod->key());
  if (before && before->uid() == pod->uid() && before->abi.node_name != base::kNoId &&
      pod->abi.node_name == base::kNoId) {
    pod = api::WithNodeName(intern_, *pod, intern_.ids.Text(before->abi.node_name));
  }
  if (before && before->resource_version() == pod->resource_version()) {
    pod = Changed(intern_, *pod, [version = NextResourceVersion()](api::Pod& p) { p.SetResourceVersion(version); });
  }
  ++version_;
  Publish(std::move(pod));
}

void Cluster::Publish(api::PodRef pod) {
  pods_.insert_or_assign(std::string(pod->key()), pod);
  if (engine_ != nullptr) engine_->Post(engine::PodSet{std::move(pod)});
}

bool Cluster::RemovePod(std::string_view key) {
  base::MutexLock lock(mutex_);
  auto it = pods_.find(key);
  if (it == pods_.end()) return false;
  ++version_;
  if (engine_ != nullptr) engine_->Post(engine::PodGone{it->first});
  pods_.erase(it);
  return true;
}

api::PodRef Cluster::FindPod(std::string_view key) const {
  base::MutexLock lock(mutex_);
  return Find(key);
}

api::PodRef Cluster::Find(std::string_view key) const {
  auto it = pods_.find(key);
  return it == pods_.end() ? api::PodRef() : it->second;
}

std::vector<api::PodRef> Cluster::PendingPods() const {
  base::MutexLock lock(mutex_);
  std::vector<api::PodRef> out;
  for (const auto& [key, pod] : pods_) {
    if (pod->abi.node_name == base::kNoId && !pod->terminal()) out.push_back(pod);
  }
  return out;
}

void Cluster::Bind(const berth_pod& pod, std::string_view node, berth_op* op) {
  const std::string refusal = TryBind(pod, node);
  const berth_str text{refusal.data(), refusal.size()};
  if (refusal.empty()) {
    op->done(op, BERTH_SUCCESS, nullptr, 0);
  } else {
    op->done(op, BERTH_ERROR, &text, 1);
  }
}

void Cluster::BoundByExtender(const api::Pod& pod, std::string_view node) { TryBind(pod.abi, node); }

std::string Cluster::TryBind(const berth_pod& pod, std::string_view node) {
  base::MutexLock lock(mutex_);
  const std::string name(pod.name.ptr, pod.name.len);
  const api::PodRef now = Find(std::string(intern_.ids.Text(pod.ns)) + "/" + name);
  if (!now || now->uid() != std::string_view(pod.uid.ptr, pod.uid.len)) return "pods \"" + name + "\" not found";
  if (now->abi.node_name != base::kNoId) {
    return "Operation cannot be fulfilled on pods/binding \"" + name + "\": pod " + name +
           " is already assigned to node \"" + std::string(intern_.ids.Text(now->abi.node_name)) + "\"";
  }
  ++version_;
  Publish(Changed(intern_, *now, [&, version = NextResourceVersion()](api::Pod& p) {
    p.SetNodeName(node);
    p.SetNominatedNode("");  // ClearingNominatedNodeNameAfterBinding
    p.SetScheduledCondition({"True", "", ""});
    p.abi.scheduled_unix_ns = StoredNow();
    p.SetResourceVersion(version);
  }));
  return "";
}

int64_t Cluster::StoredNow() const {
  if (clock_ == nullptr) return BERTH_NO_TIME + 1;
  const int64_t now = clock_->WallUnixNs();
  return now - now % base::kSecond;
}

void Cluster::PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) {
  base::MutexLock lock(mutex_);
  const api::PodRef now = Find(pod->key());
  if (!now || now->uid() != pod->uid()) return;  // deleted, for which the API server returns NotFound
  Publish(Changed(intern_, *now, [&, version = NextResourceVersion()](api::Pod& p) {
    if (patch.condition) p.SetScheduledCondition(*patch.condition);
    if (patch.nominated_node) p.SetNominatedNode(*patch.nominated_node);
    p.SetResourceVersion(version);
  }));
}

void Cluster::Annotate(const api::PodRef& pod, engine::MakeAnnotations make) {
  engine::Annotations annotations = make();
  base::MutexLock lock(mutex_);
  const api::PodRef now = Find(pod->key());
  if (!now || now->uid() != pod->uid()) return;
  engine::Annotations& written = annotations_[std::string(pod->key())];
  if (written == annotations) return;
  written = std::move(annotations);
  Publish(Changed(intern_, *now, [&, version = NextResourceVersion()](api::Pod& p) { p.SetResourceVersion(version); }));
}

const engine::Annotations* Cluster::AnnotationsOf(const std::string& pod) const {
  const auto it = annotations_.find(pod);
  return it == annotations_.end() ? nullptr : &it->second;
}

api::PodRef Cluster::ChangePod(std::string_view key, const std::function<void(api::Pod&)>& change) {
  base::MutexLock lock(mutex_);
  api::PodRef now = Find(key);
  if (!now) return now;
  api::PodRef changed = Changed(intern_, *now, [&, version = NextResourceVersion()](api::Pod& p) {
    change(p);
    p.SetResourceVersion(version);
  });
  Publish(changed);
  return changed;
}

void Cluster::Event(const api::Pod& pod, std::string_view type, std::string_view reason, std::string_view,
                    std::string note) {
  Record({std::string(pod.key()), std::string(type), std::string(reason), std::move(note), ""});
}

void Cluster::Record(EventRecord event) {
  base::MutexLock lock(mutex_);
  events_.push_back(std::move(event));
}

}  // namespace berth::simulation
