#include "cluster/daemon/feeds.h"

#include "api/json_items.h"
#include "api/protobuf/pod_and_node.h"

namespace berth::daemon {

base::Result<NodeFeed::Seen> NodeFeed::Set(std::string_view json) {
  return Post(api::DecodeNode(intern_, json, keep_));
}

base::Result<NodeFeed::Seen> NodeFeed::SetProtobuf(std::string_view message) {
  return Post(protobuf::DecodeNodeMessage(intern_, message, keep_));
}

base::Result<NodeFeed::Seen> NodeFeed::Post(base::Result<api::NodeRef> node) {
  if (!node) return tl::unexpected(node.error());
  Seen seen{(*node)->name, (*node)->resource_version};
  engine_.Post(engine::NodeSet{std::move(*node)});
  return seen;
}

void NodeFeed::Gone(const std::string& key) { engine_.Post(engine::NodeGone{key}); }

void NodeFeed::Listed(std::shared_ptr<const base::TextSet> present) {
  engine_.Post(engine::NodesListed{std::move(present)});
}

base::Result<PodFeed::Seen> PodFeed::Set(std::string_view json) { return Post(api::DecodePod(intern_, json, keep_)); }

base::Result<PodFeed::Seen> PodFeed::SetProtobuf(std::string_view message) {
  return Post(protobuf::DecodePodMessage(intern_, message, keep_));
}

base::Result<PodFeed::Seen> PodFeed::Post(base::Result<api::PodRef> pod) {
  if (!pod) return tl::unexpected(pod.error());
  Seen seen{std::string((*pod)->key()), std::string((*pod)->resource_version())};
  engine_.Post(engine::PodSet{std::move(*pod)});
  return seen;
}

void PodFeed::Gone(const std::string& key) { engine_.Post(engine::PodGone{key}); }

void PodFeed::Listed(std::shared_ptr<const base::TextSet> present) {
  engine_.Post(engine::PodsListed{std::move(present)});
}

ObjectsFeed::ObjectsFeed(api::InternTables& intern, engine::Engine& engine, objects::KindId kind)
    : intern_(intern),
      engine_(engine),
      kind_(kind),
      resource_(engine.objects().KindOf(kind).resource),
      with_pod_template_(!engine.objects().KindOf(kind).has_pod_template) {}

base::Result<ObjectsFeed::Seen> ObjectsFeed::Set(std::string_view json) {
  auto object = objects::ParseObject(intern_, json, with_pod_template_);
  if (!object) return base::Fail(resource_ + " \"" + api::IdentityOf(json).key + "\": " + object.error().message);
  Seen seen{(*object)->key(), std::string((*object)->resource_version())};
  engine_.Post(engine::ObjectSet{kind_, std::move(*object)});
  return seen;
}

void ObjectsFeed::Gone(const std::string& key) { engine_.Post(engine::ObjectGone{kind_, key}); }

void ObjectsFeed::Listed(std::shared_ptr<const base::TextSet> present) {
  engine_.Post(engine::ObjectsListed{kind_, std::move(present)});
}

}  // namespace berth::daemon
