// An instance's state and its access to the host: the terms of existing pods, namespaces, selectors, sets of pods, and
// topology domains. Members are [serial], const members [parallel].
#pragma once

#include <berth/domains.hpp>
#include <berth/matching.hpp>
#include <berth/plugin.hpp>
#include <berth/pod_sets.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "matching_terms.h"
#include "namespaces.h"
#include "term_index.h"
#include "terms.h"
#include "topology.h"

namespace plugins::inter_pod {

class Knowledge {
 public:
  Knowledge(Host& host, int32_t hard_weight)
      : words{host.Intern("NotIn"), host.Intern("DoesNotExist")},
        pod_sets(host),
        namespaces(host),
        existing(host, hard_weight),
        matching_(host),
        domains_(host) {}

  const NegativeWords words;
  const berth::sdk::PodSets pod_sets;
  Namespaces namespaces;
  TermIndex existing;

  // bool(const berth_selector&, const berth_labels&)
  auto Match() const {
    return [this](const berth_selector& selector, const berth_labels& labels) {
      return matching_.Matches(&selector, &labels);
    };
  }
  // The error of a selector; "": none. Valid until the thread's next call.
  auto Error() const {
    return [this](const berth_selector& selector) -> std::string_view { return matching_.Error(&selector); };
  }

  // Topology(Id key), valid for the cycle. [serial]
  auto TopologyIn(berth::sdk::Cycle& cycle) const {
    return [this, &cycle](Id key) {
      const berth::sdk::Domains domains = domains_.Of(cycle.snap(), key);
      return domains.size() == 0 ? Topology{} : Topology{domains.of_row().data(), domains.size()};
    };
  }

  // The errors of a pod's terms. Cached, because pods of one template share one block. Valid until the next call.
  const TermErrors& Errors(const berth_pod_affinity& affinity) {
    static const TermErrors kNone;
    if (!HasTerms(affinity)) return kNone;
    if (errors_.size() == kMaxErrors) errors_.clear();
    const auto [found, is_new] = errors_.try_emplace(affinity.content);
    if (is_new) found->second = ErrorsOf(affinity, Error());
    return found->second;
  }

  // The numbers of existing pods' terms that match the pod. Valid until the next call.
  const std::vector<uint32_t>& ExistingTermsAbout(const berth_pod& pod, Effect effect) {
    return about_.Find(existing, pod, namespaces.LabelsOf(pod.ns), words, Match()).Of(effect);
  }

 private:
  static constexpr size_t kMaxErrors = 4096;

  const berth::sdk::Matching matching_;
  const berth::sdk::DomainColumns domains_;
  MatchingTerms about_;
  std::unordered_map<uint32_t, TermErrors> errors_;  // by content of the affinity block
};

}  // namespace plugins::inter_pod
