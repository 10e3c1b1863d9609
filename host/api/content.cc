#include "api/content.h"

namespace berth::api {
namespace {

// Ids of texts, in order.
berth_list IdList(BlockWriter& writer, const std::vector<std::string_view>& texts) {
  std::vector<berth_id> ids;
  ids.reserve(texts.size());
  for (std::string_view text : texts) ids.push_back(writer.Text(text));
  return writer.List(ids, false);
}

berth_list PairList(BlockWriter& writer, const std::vector<TextPair>& pairs) {
  std::vector<berth_kv> items;
  items.reserve(pairs.size());
  for (const TextPair& pair : pairs) items.push_back({writer.Text(pair.key), writer.Text(pair.value)});
  return writer.List(items, false);
}

void AddTexts(ContentKey& key, const std::vector<std::string_view>& texts) {
  key.Number32(static_cast<uint32_t>(texts.size()));
  for (std::string_view text : texts) key.Text(text);
}

void AddPairs(ContentKey& key, const std::vector<TextPair>& pairs) {
  key.Number32(static_cast<uint32_t>(pairs.size()));
  for (const TextPair& pair : pairs) key.Text(pair.key).Text(pair.value);
}

void AddImages(ContentKey& key, const std::vector<ContainerDraft>& containers) {
  key.Number32(static_cast<uint32_t>(containers.size()));
  for (const ContainerDraft& container : containers) key.Text(container.image);
}

berth_list ImageList(BlockWriter& writer, const std::vector<ContainerDraft>& containers) {
  std::vector<berth_id> ids;
  ids.reserve(containers.size());
  for (const ContainerDraft& container : containers) ids.push_back(writer.Text(container.image));
  return writer.List(ids, false);
}

// Calls visit(port, place) for the host ports of sidecars, then of app containers.
template <class Visit>
void ForEachHostPort(const PodDraft& draft, Visit&& visit) {
  const auto ports_of = [&](const std::vector<ContainerDraft>& containers, bool sidecar, uint32_t container) {
    const Range ports = containers[container].ports;
    for (uint32_t i = ports.begin; i < ports.end; ++i) {
      if (draft.ports[i].port > 0) visit(draft.ports[i], PortPlace{sidecar, container, i - ports.begin});
    }
  };
  for (uint32_t i = 0; i < draft.init_containers.size(); ++i) {
    if (draft.init_containers[i].always) ports_of(draft.init_containers, true, i);
  }
  for (uint32_t i = 0; i < draft.containers.size(); ++i) ports_of(draft.containers, false, i);
}

void AddRequirements(ContentKey& key, const NodeAffinityDraft& draft, Range range) {
  key.Number32(range.size());
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const RequirementDraft& requirement = draft.requirements[i];
    key.Text(requirement.key).Text(requirement.op).Number32(requirement.values.size());
    for (uint32_t v = requirement.values.begin; v < requirement.values.end; ++v) key.Text(draft.values[v]);
  }
}

berth_list RequirementList(BlockWriter& writer, const NodeAffinityDraft& draft, Range range) {
  std::vector<berth_node_requirement> list;
  list.reserve(range.size());
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const RequirementDraft& requirement = draft.requirements[i];
    std::vector<berth_id> values;
    for (uint32_t v = requirement.values.begin; v < requirement.values.end; ++v) {
      values.push_back(writer.Text(draft.values[v]));
    }
    list.push_back({writer.Text(requirement.key), writer.Text(requirement.op), writer.List(values, false)});
  }
  return writer.List(list, false);
}

berth_node_term Term(BlockWriter& writer, const NodeAffinityDraft& draft, const TermDraft& term) {
  return {RequirementList(writer, draft, term.expressions), RequirementList(writer, draft, term.fields)};
}

void AddTerm(ContentKey& key, const NodeAffinityDraft& draft, const TermDraft& term) {
  AddRequirements(key, draft, term.expressions);
  AddRequirements(key, draft, term.fields);
}

void FillNodeAffinity(BlockWriter& writer, const NodeAffinityDraft& draft, berth_node_affinity& abi) {
  abi.has = draft.has;
  abi.selector = PairList(writer, draft.selector);
  std::vector<berth_node_term> required;
  for (const TermDraft& term : draft.required) required.push_back(Term(writer, draft, term));
  abi.required = writer.List(required, false);
  std::vector<berth_preferred_term> preferred;
  for (const PreferredDraft& term : draft.preferred) {
    preferred.push_back({term.weight, 0, Term(writer, draft, term.term)});
  }
  abi.preferred = writer.List(preferred, false);
}

}  // namespace

ContentKey::ContentKey()
    : bytes_([]() -> std::string& {
        thread_local std::string buffer;
        return buffer;
      }()) {
  bytes_.clear();
}

Ref<const LabelsBlock> MakeLabels(InternTables& intern, const std::vector<TextPair>& pairs) {
  ContentKey key;
  AddPairs(key, pairs);
  return ShareBlock<LabelsBlock>(
      intern, 'L', key, [&](BlockWriter& writer, LabelsBlock& block) { block.abi.items = PairList(writer, pairs); });
}

Ref<const ImagesBlock> MakeImages(InternTables& intern, const PodDraft& draft) {
  ContentKey key;
  AddImages(key, draft.init_containers);
  AddImages(key, draft.containers);
  AddTexts(key, draft.volume_images);
  return ShareBlock<ImagesBlock>(intern, 'I', key, [&](BlockWriter& writer, ImagesBlock& block) {
    block.abi.init_containers = ImageList(writer, draft.init_containers);
    block.abi.containers = ImageList(writer, draft.containers);
    block.abi.volumes = IdList(writer, draft.volume_images);
  });
}

Ref<const PortsBlock> MakePorts(InternTables& intern, const PodDraft& draft) {
  ContentKey key;
  ForEachHostPort(draft, [&](const PortDraft& port, const PortPlace& place) {
    key.Text(port.ip).Text(port.protocol).Number32(static_cast<uint32_t>(port.port));
    key.Number32(place.sidecar ? 1 : 0).Number32(place.container).Number32(place.port);
  });
  return ShareBlock<PortsBlock>(intern, 'P', key, [&](BlockWriter& writer, PortsBlock& block) {
    std::vector<berth_host_port> items;
    ForEachHostPort(draft, [&](const PortDraft& port, const PortPlace& place) {
      items.push_back({writer.Text(port.ip), writer.Text(port.protocol), port.port, 0});
      block.places.push_back(place);
    });
    block.abi.items = writer.List(items, false);
  });
}

Ref<const TolerationsBlock> MakeTolerations(InternTables& intern, const std::vector<TolerationDraft>& tolerations) {
  ContentKey key;
  for (const TolerationDraft& t : tolerations) {
    key.Text(t.key).Text(t.op).Text(t.value).Text(t.effect).Number32(t.has_seconds);
    key.Number(static_cast<uint64_t>(t.seconds));
  }
  return ShareBlock<TolerationsBlock>(intern, 'T', key, [&](BlockWriter& writer, TolerationsBlock& block) {
    std::vector<berth_toleration> items;
    for (const TolerationDraft& t : tolerations) {
      items.push_back({writer.Text(t.key), writer.Text(t.op), writer.Text(t.value), writer.Text(t.effect),
                       t.has_seconds ? BERTH_TOLERATION_SECONDS : 0, t.seconds});
    }
    block.abi.items = writer.List(items, false);
  });
}

Ref<const NodeAffinityBlock> MakeNodeAffinity(InternTables& intern, const NodeAffinityDraft& draft) {
  ContentKey key;
  key.Number(draft.has);
  AddPairs(key, draft.selector);
  key.Number32(static_cast<uint32_t>(draft.required.size()));
  for (const TermDraft& term : draft.required) AddTerm(key, draft, term);
  for (const PreferredDraft& term : draft.preferred) {
    key.Number32(static_cast<uint32_t>(term.weight));
    AddTerm(key, draft, term.term);
  }
  return ShareBlock<NodeAffinityBlock>(intern, 'A', key, [&](BlockWriter& writer, NodeAffinityBlock& block) {
    FillNodeAffinity(writer, draft, block.abi);
  });
}

Ref<const GatesBlock> MakeGates(InternTables& intern, const std::vector<std::string_view>& gates) {
  ContentKey key;
  AddTexts(key, gates);
  return ShareBlock<GatesBlock>(
      intern, 'G', key, [&](BlockWriter& writer, GatesBlock& block) { block.abi.items = IdList(writer, gates); });
}

Ref<const TaintsBlock> MakeTaints(InternTables& intern, const std::vector<TaintDraft>& taints) {
  ContentKey key;
  for (const TaintDraft& taint : taints) key.Text(taint.key).Text(taint.value).Text(taint.effect);
  return ShareBlock<TaintsBlock>(intern, 'N', key, [&](BlockWriter& writer, TaintsBlock& block) {
    std::vector<berth_taint> items;
    for (const TaintDraft& taint : taints) {
      items.push_back({writer.Text(taint.key), writer.Text(taint.value), writer.Text(taint.effect)});
    }
    block.abi.items = writer.List(items, false);
  });
}

}  // namespace berth::api
