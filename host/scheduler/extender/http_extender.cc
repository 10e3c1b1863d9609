#include "scheduler/extender/http_extender.h"

#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "scheduler/extender/extender_request.h"

namespace berth::extender {
namespace {

framework::ExtenderFilterResult All(std::span<const framework::ExtenderNode> nodes) {
  framework::ExtenderFilterResult all;
  all.passed.resize(nodes.size());
  std::iota(all.passed.begin(), all.passed.end(), 0u);
  return all;
}

std::vector<framework::ExtenderFailedNode> FailedNodes(FilterReply& reply) {
  std::vector<framework::ExtenderFailedNode> failed;
  failed.reserve(reply.failed.size() + reply.unresolvable.size());
  for (auto& [node, message] : reply.failed) {
    if (!reply.unresolvable.contains(node)) failed.push_back({node, std::move(message), false});
  }
  for (auto& [node, message] : reply.unresolvable) failed.push_back({node, std::move(message), true});
  return failed;
}

}  // namespace

HttpExtender::HttpExtender(framework::ExtenderTraits traits, Verbs verbs, const std::vector<std::string>& managed,
                           api::InternTables& intern, std::unique_ptr<Server> server)
    : framework::Extender(std::move(traits), managed, intern), verbs_(std::move(verbs)), server_(std::move(server)) {}

tl::unexpected<base::Error> HttpExtender::Undecodable(const std::string& verb, const base::Error& error) const {
  return base::Fail("cannot decode the answer of the extender at URL " + server_->UrlOf(verb) + ": " + error.message);
}

base::Result<std::vector<uint32_t>> HttpExtender::Indices(const std::vector<std::string>& names,
                                                          std::span<const framework::ExtenderNode> nodes) const {
  std::unordered_map<std::string_view, uint32_t> index_of;
  index_of.reserve(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) index_of.emplace(nodes[i].name, i);
  std::vector<bool> taken(nodes.size());
  std::vector<uint32_t> indices;
  indices.reserve(names.size());
  for (const std::string& node : names) {
    const auto found = index_of.find(node);
    if (found == index_of.end()) {
      return base::Fail("extender " + base::Quoted(name()) + " claims a filtered node " + base::Quoted(node) +
                        " which is not found in the input node list");
    }
    if (taken[found->second]) continue;
    taken[found->second] = true;
    indices.push_back(found->second);
  }
  return indices;
}

base::Result<framework::ExtenderFilterResult> HttpExtender::Filter(std::string_view pod,
                                                                   std::span<const framework::ExtenderNode> nodes) {
  if (!has_filter()) return All(nodes);
  const auto body = server_->Send(verbs_.filter, NodesRequest(pod, nodes, needs_manifests()));
  if (!body) return tl::unexpected(body.error());
  auto reply = DecodeFilterReply(*body);
  if (!reply) return Undecodable(verbs_.filter, reply.error());
  if (!reply->error.empty()) return base::Fail(std::move(reply->error));
  // NodeNames is read only if the request contained names; Nodes is read in both cases.
  const auto& passed = !needs_manifests() && reply->node_names ? reply->node_names : reply->nodes;
  framework::ExtenderFilterResult filtered;
  if (passed) {
    auto indices = Indices(*passed, nodes);
    if (!indices) return tl::unexpected(indices.error());
    filtered.passed = std::move(*indices);
  }
  filtered.failed = FailedNodes(*reply);
  return filtered;
}

base::Result<framework::ExtenderPriorities> HttpExtender::Prioritize(std::string_view pod,
                                                                     std::span<const framework::ExtenderNode> nodes) {
  framework::ExtenderPriorities out;
  if (!has_prioritize()) {
    for (const framework::ExtenderNode& node : nodes) out.scores.push_back({std::string(node.name), 0});
    return out;
  }
  const auto body = server_->Send(verbs_.prioritize, NodesRequest(pod, nodes, needs_manifests()));
  if (!body) return tl::unexpected(body.error());
  auto scores = DecodeScores(*body);
  if (!scores) return Undecodable(verbs_.prioritize, scores.error());
  out.scores = std::move(*scores);
  out.weight = weight();
  return out;
}

base::Result<void> HttpExtender::Bind(const framework::ExtenderBinding& binding) {
  if (!has_bind()) return base::Fail("unexpected empty bindVerb in extender");
  const auto body = server_->Send(verbs_.bind, BindRequest(binding));
  if (!body) return tl::unexpected(body.error());
  auto error = DecodeBindReply(*body);
  if (!error) return Undecodable(verbs_.bind, error.error());
  if (!error->empty()) return base::Fail(std::move(*error));
  return {};
}

base::Result<framework::NodeNameToMetaVictims> HttpExtender::ProcessPreemption(
    std::string_view pod, const framework::NodeNameToVictims& victims) {
  if (!has_preempt()) {
    return base::Fail("preempt verb is not defined for extender " + name() + " but run into ProcessPreemption");
  }
  const auto body = server_->Send(verbs_.preempt, PreemptionRequest(pod, victims, needs_manifests()));
  if (!body) return tl::unexpected(body.error());
  auto reply = DecodePreemptionReply(*body);
  if (!reply) return Undecodable(verbs_.preempt, reply.error());
  return std::move(*reply);
}

}  // namespace berth::extender
