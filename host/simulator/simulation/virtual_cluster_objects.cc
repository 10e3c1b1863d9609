// Objects other than pods and nodes in the simulated API server.
#include "simulator/simulation/virtual_cluster.h"

namespace berth::simulation {

objects::KindId Cluster::KindOf(std::string_view api_version, std::string_view resource) const {
  if (engine_ == nullptr) return 0;
  const objects::GroupVersion gv = objects::SplitApiVersion(api_version);
  return engine_->objects().Find(gv.group, gv.version, resource);
}

bool Cluster::SetObject(objects::KindId kind, json::Value object) {
  base::MutexLock lock(mutex_);
  object["metadata"].Set("resourceVersion", NextResourceVersion());
  const bool with_pod_template = !engine_->objects().KindOf(kind).has_pod_template;
  auto made = objects::MakeObject(intern_, std::move(object), with_pod_template);
  if (!made) return false;
  ++version_;
  objects_.insert_or_assign({kind, (*made)->key()}, *made);
  engine_->Post(engine::ObjectSet{kind, std::move(*made)});
  return true;
}

bool Cluster::RemoveObject(objects::KindId kind, std::string_view key) {
  base::MutexLock lock(mutex_);
  const auto at = objects_.find({kind, std::string(key)});
  if (at == objects_.end()) return false;
  ++version_;
  engine_->Post(engine::ObjectGone{kind, at->first.second});
  objects_.erase(at);
  return true;
}

objects::ObjectRef Cluster::FindObject(objects::KindId kind, std::string_view key) const {
  base::MutexLock lock(mutex_);
  const auto at = objects_.find({kind, std::string(key)});
  return at == objects_.end() ? nullptr : at->second;
}

std::vector<objects::ObjectRef> Cluster::Objects(objects::KindId kind) const {
  base::MutexLock lock(mutex_);
  std::vector<objects::ObjectRef> all;
  for (auto at = objects_.lower_bound({kind, ""}); at != objects_.end() && at->first.first == kind; ++at) {
    all.push_back(at->second);
  }
  return all;
}

}  // namespace berth::simulation
