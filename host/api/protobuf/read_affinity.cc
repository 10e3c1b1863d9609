// Label selectors, node affinity, affinity between pods, and topology spread constraints.
#include "api/protobuf/fields.h"
#include "api/protobuf/read_parts.h"
#include "api/protobuf/read_pod.h"

namespace berth::protobuf {

using api::Range;
using api::SelectorPool;

namespace {

void ReadLabelRequirement(Message& outer, size_t index, SelectorPool& pool) {
  Message message(outer, "matchExpressions", index);
  api::RequirementDraft& requirement = pool.requirements.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::LabelSelectorRequirement::kKey: requirement.key = message.Text(); break;
      case fields::LabelSelectorRequirement::kOperator: requirement.op = message.Text(); break;
      case fields::LabelSelectorRequirement::kValues: requirement.values = ReadTexts(message, pool.texts); break;
    }
  }
}

Range ReadNodeRequirements(Message& outer, const char* name, api::NodeAffinityDraft& draft) {
  const uint32_t begin = PoolSize(draft.requirements);
  outer.Each([&] {
    Message message(outer, name, draft.requirements.size() - begin);
    api::RequirementDraft& requirement = draft.requirements.emplace_back();
    while (message.Next()) {
      switch (message.field()) {
        case fields::NodeSelectorRequirement::kKey: requirement.key = message.Text(); break;
        case fields::NodeSelectorRequirement::kOperator: requirement.op = message.Text(); break;
        case fields::NodeSelectorRequirement::kValues: requirement.values = ReadTexts(message, draft.values); break;
      }
    }
  });
  return {begin, PoolSize(draft.requirements)};
}

void ReadNodeTerm(Message& message, api::NodeAffinityDraft& draft, api::TermDraft& term) {
  while (message.Next()) {
    switch (message.field()) {
      case fields::NodeSelectorTerm::kMatchExpressions:
        term.expressions = ReadNodeRequirements(message, "matchExpressions", draft);
        break;
      case fields::NodeSelectorTerm::kMatchFields:
        term.fields = ReadNodeRequirements(message, "matchFields", draft);
        break;
    }
  }
}

void ReadRequiredNodes(Message& outer, api::NodeAffinityDraft& draft) {
  draft.has |= BERTH_NODE_AFFINITY_REQUIRED;
  Message message(outer, "requiredDuringSchedulingIgnoredDuringExecution");
  while (message.Next()) {
    if (message.field() != fields::NodeSelector::kNodeSelectorTerms) continue;
    Message term(message, "nodeSelectorTerms", draft.required.size());
    ReadNodeTerm(term, draft, draft.required.emplace_back());
  }
}

void ReadPreferredNodes(Message& outer, api::NodeAffinityDraft& draft) {
  draft.has |= BERTH_NODE_AFFINITY_PREFERRED;
  Message message(outer, "preferredDuringSchedulingIgnoredDuringExecution", draft.preferred.size());
  api::PreferredDraft& preferred = draft.preferred.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::PreferredSchedulingTerm::kWeight: preferred.weight = message.Int32(); break;
      case fields::PreferredSchedulingTerm::kPreference: {
        Message term(message, "preference");
        ReadNodeTerm(term, draft, preferred.term);
        break;
      }
    }
  }
}

void ReadPodTerm(Message& message, SelectorPool& pool, api::PodTermDraft& term) {
  while (message.Next()) {
    switch (message.field()) {
      case fields::PodAffinityTerm::kTopologyKey: term.topology_key = message.Text(); break;
      case fields::PodAffinityTerm::kLabelSelector:
        ReadLabelSelector(message, "labelSelector", pool, term.selector);
        break;
      case fields::PodAffinityTerm::kNamespaceSelector:
        ReadLabelSelector(message, "namespaceSelector", pool, term.namespace_selector);
        break;
      case fields::PodAffinityTerm::kNamespaces: term.namespaces = ReadTexts(message, pool.texts); break;
    }
  }
}

void ReadRequiredPods(Message& outer, SelectorPool& pool, std::vector<api::PodTermDraft>& terms) {
  Message message(outer, "requiredDuringSchedulingIgnoredDuringExecution", terms.size());
  ReadPodTerm(message, pool, terms.emplace_back());
}

void ReadPreferredPods(Message& outer, SelectorPool& pool, std::vector<api::PodTermDraft>& terms) {
  Message message(outer, "preferredDuringSchedulingIgnoredDuringExecution", terms.size());
  api::PodTermDraft& preferred = terms.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::WeightedPodAffinityTerm::kWeight: preferred.weight = message.Int32(); break;
      case fields::WeightedPodAffinityTerm::kPodAffinityTerm: {
        Message term(message, "podAffinityTerm");
        ReadPodTerm(term, pool, preferred);
        break;
      }
    }
  }
}

}  // namespace

void ReadLabelSelector(Message& outer, const char* name, SelectorPool& pool, api::SelectorDraft& draft) {
  draft = {};
  draft.set = true;
  Message message(outer, name);
  while (message.Next()) {
    switch (message.field()) {
      case fields::LabelSelector::kMatchLabels: draft.labels = ReadSortedPairs(message, pool.labels); break;
      case fields::LabelSelector::kMatchExpressions: {
        const uint32_t begin = PoolSize(pool.requirements);
        message.Each([&] { ReadLabelRequirement(message, pool.requirements.size() - begin, pool); });
        draft.expressions = {begin, PoolSize(pool.requirements)};
        break;
      }
    }
  }
}

void ReadNodeAffinity(Message& outer, api::NodeAffinityDraft& draft) {
  Message message(outer, "nodeAffinity");
  while (message.Next()) {
    switch (message.field()) {
      case fields::NodeAffinity::kRequiredDuringSchedulingIgnoredDuringExecution:
        ReadRequiredNodes(message, draft);
        break;
      case fields::NodeAffinity::kPreferredDuringSchedulingIgnoredDuringExecution:
        ReadPreferredNodes(message, draft);
        break;
    }
  }
}

void ReadPodAffinity(Message& outer, bool anti, api::PodDraft& draft) {
  api::PodAffinityDraft& out = draft.pod_affinity;
  out.has |= anti ? BERTH_POD_ANTI_AFFINITY_SET : BERTH_POD_AFFINITY_SET;
  Message message(outer, anti ? "podAntiAffinity" : "podAffinity");
  while (message.Next()) {
    switch (message.field()) {
      case fields::PodAffinity::kRequiredDuringSchedulingIgnoredDuringExecution:
        ReadRequiredPods(message, draft.selectors, anti ? out.anti_required : out.required);
        break;
      case fields::PodAffinity::kPreferredDuringSchedulingIgnoredDuringExecution:
        ReadPreferredPods(message, draft.selectors, anti ? out.anti_preferred : out.preferred);
        break;
    }
  }
}

void ReadSpread(Message& outer, api::PodDraft& draft) {
  Message message(outer, "topologySpreadConstraints", draft.spread.size());
  api::SpreadDraft& one = draft.spread.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::TopologySpreadConstraint::kMaxSkew: one.max_skew = message.Int32(); break;
      case fields::TopologySpreadConstraint::kTopologyKey: one.topology_key = message.Text(); break;
      case fields::TopologySpreadConstraint::kWhenUnsatisfiable: one.when_unsatisfiable = message.Text(); break;
      case fields::TopologySpreadConstraint::kNodeAffinityPolicy: one.node_affinity_policy = message.Text(); break;
      case fields::TopologySpreadConstraint::kNodeTaintsPolicy: one.node_taints_policy = message.Text(); break;
      case fields::TopologySpreadConstraint::kMinDomains:
        one.has_min_domains = true;
        one.min_domains = message.Int32();
        break;
      case fields::TopologySpreadConstraint::kLabelSelector:
        ReadLabelSelector(message, "labelSelector", draft.selectors, one.selector);
        break;
      case fields::TopologySpreadConstraint::kMatchLabelKeys:
        one.match_label_keys = ReadTexts(message, draft.selectors.texts);
        break;
    }
  }
}

}  // namespace berth::protobuf
