#include "daemon/feeds.h"

namespace berth::daemon {

base::Result<NodeFeed::Seen> NodeFeed::Set(std::string_view json) {
  auto node = api::DecodeNode(words_, json);
  if (!node) return tl::unexpected(node.error());
  Seen seen{(*node)->name, (*node)->resource_version};
  engine_.Post(engine::NodeSet{std::move(*node)});
  return seen;
}

void NodeFeed::Gone(const std::string& key) { engine_.Post(engine::NodeGone{key}); }

void NodeFeed::Listed(std::shared_ptr<const source::KeySet> present) {
  engine_.Post(engine::NodesListed{std::move(present)});
}

base::Result<PodFeed::Seen> PodFeed::Set(std::string_view json) {
  auto pod = api::DecodePod(words_, json);
  if (!pod) return tl::unexpected(pod.error());
  Seen seen{(*pod)->key(), (*pod)->resource_version};
  engine_.Post(engine::PodSet{std::move(*pod)});
  return seen;
}

void PodFeed::Gone(const std::string& key) { engine_.Post(engine::PodGone{key}); }

void PodFeed::Listed(std::shared_ptr<const source::KeySet> present) {
  engine_.Post(engine::PodsListed{std::move(present)});
}

}  // namespace berth::daemon
