#include "scheduler/cycle/preempt_extenders.h"

#include <algorithm>

#include "plugin/instance/pod_of.h"
#include "telemetry/log/log.h"

namespace berth::cycle {

using framework::Extender;
using ViewOfPod = const berth_pod*;  // so that BERTH_AT can add const

bool PreemptExtenders::Asks(const Extender& one, const berth_pod& pod) const {
  return one.has_preempt() && one.IsInterested(plugin::PodOf(pod));
}

bool PreemptExtenders::Preempts(const berth_pod& pod) const {
  return extenders_ != nullptr &&
         std::any_of(extenders_->begin(), extenders_->end(), [&](const auto& one) { return Asks(*one, pod); });
}

base::Result<berth_list> PreemptExtenders::Preempt(const berth_pod& pod, berth_list candidates) {
  candidates_.clear();
  for (uint32_t i = 0; i < candidates.n; ++i) {
    const berth_candidate& from = *BERTH_AT(candidates, berth_candidate, i);
    Candidate& to = candidates_.emplace_back(Candidate{from.row, from.violations, {}});
    for (uint32_t k = 0; k < from.pods.n; ++k) to.pods.push_back(*BERTH_AT(from.pods, ViewOfPod, k));
  }
  if (Preempts(pod)) {
    const std::string text = api::CurrentManifest(cache_.intern(), plugin::PodOf(pod));
    for (const auto& one : *extenders_) {
      if (candidates_.empty()) break;
      if (!Asks(*one, pod)) continue;
      if (auto done = Ask(*one, text); !done) return tl::unexpected(done.error());
    }
  }
  return Views();
}

base::Result<void> PreemptExtenders::Ask(Extender& one, const std::string& pod) {
  const auto answer = one.ProcessPreemption(pod, Victims(one.needs_manifests()));
  base::Result<std::vector<Candidate>> left = answer ? Read(one, *answer) : tl::unexpected(answer.error());
  texts_.clear();
  if (!left) {
    if (!one.ignorable()) return tl::unexpected(left.error());
    log::V(2, "Skipped extender as it returned error and has ignorable flag set",
           {{"extender", one.name()}, {"err", left.error().message}});
    return {};
  }
  for (auto at = left->begin(); at != left->end();) {
    const std::string& node = cache_.node(at->row)->name;
    if (!at->pods.empty()) {
      ++at;
    } else if (one.ignorable()) {
      log::V(2, "Ignored node for which the extender didn't report victims",
             {{"node", node}, {"extender", one.name()}});
      at = left->erase(at);
    } else {
      return base::Fail(framework::NoVictimText(node));
    }
  }
  KeepOrder(std::move(*left));
  return {};
}

framework::NodeNameToVictims PreemptExtenders::Victims(bool with_manifests) {
  framework::NodeNameToVictims all;
  for (const Candidate& candidate : candidates_) {
    framework::Victims& victims = all[cache_.node(candidate.row)->name];
    victims.pdb_violations = candidate.violations;
    for (const berth_pod* view : candidate.pods) {
      const api::Pod& pod = plugin::PodOf(*view);
      std::string_view manifest;
      if (with_manifests) manifest = texts_.emplace_back(api::CurrentManifest(cache_.intern(), pod));
      victims.pods.push_back({std::string(pod.uid()), manifest});
    }
  }
  return all;
}

base::Result<std::vector<PreemptExtenders::Candidate>> PreemptExtenders::Read(
    const Extender& one, const framework::NodeNameToMetaVictims& answer) const {
  std::vector<Candidate> all;
  for (const auto& [node, victims] : answer) {
    auto candidate = ReadNode(one, node, victims);
    if (!candidate) return tl::unexpected(candidate.error());
    all.push_back(std::move(*candidate));
  }
  return all;
}

base::Result<PreemptExtenders::Candidate> PreemptExtenders::ReadNode(const Extender& one, const std::string& node,
                                                                     const framework::MetaVictims& victims) const {
  const base::Id name = cache_.intern().ids.Find(node);
  const uint32_t row = name == base::kNoId ? cache::kNoRow : cache_.RowOf(name);
  if (row == cache::kNoRow) return base::Fail(framework::NodeNotFoundText(node));
  Candidate candidate{row, victims.pdb_violations, {}};
  const auto& pods = cache_.pods(row);
  for (const std::string& uid : victims.uids) {
    const auto found =
        std::find_if(pods.begin(), pods.end(), [&](const api::PodRef& pod) { return pod->uid() == uid; });
    if (found == pods.end()) return base::Fail(framework::VictimNotFoundText(one.name(), uid, node));
    candidate.pods.push_back(&(*found)->abi);
  }
  return candidate;
}

// Nodes keep their order, which decides between equal candidates; new nodes come last.
void PreemptExtenders::KeepOrder(std::vector<Candidate> left) {
  const auto place = [&](const Candidate& candidate) {
    return std::find_if(candidates_.begin(), candidates_.end(),
                        [&](const Candidate& c) { return c.row == candidate.row; }) -
           candidates_.begin();
  };
  std::stable_sort(left.begin(), left.end(),
                   [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
  candidates_ = std::move(left);
}

berth_list PreemptExtenders::Views() {
  views_.clear();
  for (const Candidate& candidate : candidates_) {
    const berth_list pods{candidate.pods.data(), static_cast<uint32_t>(candidate.pods.size()),
                          sizeof(const berth_pod*)};
    views_.push_back({candidate.row, 0, candidate.violations, pods});
  }
  return {views_.data(), static_cast<uint32_t>(views_.size()), sizeof(berth_candidate)};
}

}  // namespace berth::cycle
