#include "extender/http_extender.h"

#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "extender/question.h"

namespace berth::extender {
namespace {

Filtered All(std::span<const Asked> nodes) {
  Filtered all;
  all.passed.resize(nodes.size());
  std::iota(all.passed.begin(), all.passed.end(), 0u);
  return all;
}

std::vector<Refusal> Refusals(FilterAnswer& answer) {
  std::vector<Refusal> refused;
  refused.reserve(answer.failed.size() + answer.unresolvable.size());
  for (auto& [node, message] : answer.failed) {
    if (!answer.unresolvable.contains(node)) refused.push_back({node, std::move(message), false});
  }
  for (auto& [node, message] : answer.unresolvable) refused.push_back({node, std::move(message), true});
  return refused;
}

}  // namespace

HttpExtender::HttpExtender(Traits traits, Verbs verbs, const std::vector<std::string>& managed, api::Vocabulary& words,
                           std::unique_ptr<Server> server)
    : Extender(std::move(traits), managed, words), verbs_(std::move(verbs)), server_(std::move(server)) {}

tl::unexpected<base::Error> HttpExtender::Undecodable(const std::string& verb, const base::Error& error) const {
  return base::Fail("cannot decode the answer of the extender at URL " + server_->UrlOf(verb) + ": " + error.message);
}

base::Result<std::vector<uint32_t>> HttpExtender::Indices(const std::vector<std::string>& names,
                                                          std::span<const Asked> nodes) const {
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

base::Result<Filtered> HttpExtender::Filter(std::string_view pod, std::span<const Asked> nodes) {
  if (!has_filter()) return All(nodes);
  const auto body = server_->Ask(verbs_.filter, NodesQuestion(pod, nodes, needs_manifests()));
  if (!body) return tl::unexpected(body.error());
  auto answer = DecodeFilterAnswer(*body);
  if (!answer) return Undecodable(verbs_.filter, answer.error());
  if (!answer->error.empty()) return base::Fail(std::move(answer->error));
  // Names count only of those who are sent names; whole nodes count of all.
  const auto& passed = !needs_manifests() && answer->node_names ? answer->node_names : answer->nodes;
  Filtered filtered;
  if (passed) {
    auto indices = Indices(*passed, nodes);
    if (!indices) return tl::unexpected(indices.error());
    filtered.passed = std::move(*indices);
  }
  filtered.refused = Refusals(*answer);
  return filtered;
}

base::Result<Prioritized> HttpExtender::Prioritize(std::string_view pod, std::span<const Asked> nodes) {
  Prioritized out;
  if (!has_prioritize()) {
    for (const Asked& node : nodes) out.scores.push_back({std::string(node.name), 0});
    return out;
  }
  const auto body = server_->Ask(verbs_.prioritize, NodesQuestion(pod, nodes, needs_manifests()));
  if (!body) return tl::unexpected(body.error());
  auto scores = DecodeScores(*body);
  if (!scores) return Undecodable(verbs_.prioritize, scores.error());
  out.scores = std::move(*scores);
  out.weight = weight();
  return out;
}

base::Result<void> HttpExtender::Bind(const Binding& binding) {
  if (!has_bind()) return base::Fail("unexpected empty bindVerb in extender");
  const auto body = server_->Ask(verbs_.bind, BindQuestion(binding));
  if (!body) return tl::unexpected(body.error());
  auto error = DecodeBindAnswer(*body);
  if (!error) return Undecodable(verbs_.bind, error.error());
  if (!error->empty()) return base::Fail(std::move(*error));
  return {};
}

base::Result<MetaVictimsByNode> HttpExtender::ProcessPreemption(std::string_view pod, const VictimsByNode& victims) {
  if (!has_preempt()) {
    return base::Fail("preempt verb is not defined for extender " + name() + " but run into ProcessPreemption");
  }
  const auto body = server_->Ask(verbs_.preempt, PreemptQuestion(pod, victims, needs_manifests()));
  if (!body) return tl::unexpected(body.error());
  auto answer = DecodePreemptAnswer(*body);
  if (!answer) return Undecodable(verbs_.preempt, answer.error());
  return std::move(*answer);
}

}  // namespace berth::extender
