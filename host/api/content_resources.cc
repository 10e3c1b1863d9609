// MakeResources: the only block with more content than its ABI lists.
#include "api/content.h"

namespace berth::api {
namespace {

// One container in the content of the block.
struct Part {
  const ContainerDraft* container;
  uint32_t kind;
  const ContainerStatusDraft* status;  // nullptr: none that counts
};

const ContainerStatusDraft* LastNamed(const std::vector<ContainerStatusDraft>& statuses, std::string_view name) {
  for (size_t i = statuses.size(); i-- > 0;) {
    if (statuses[i].name == name) return &statuses[i];
  }
  return nullptr;
}

// The status with the container's name. As upstream, the last of several counts, and those of init containers come
// last.
const ContainerStatusDraft* StatusOf(const PodDraft& draft, std::string_view name) {
  const ContainerStatusDraft* status = LastNamed(draft.init_statuses, name);
  if (status == nullptr) status = LastNamed(draft.statuses, name);
  return status != nullptr && status->has_resources ? status : nullptr;
}

// Init containers and sidecars in order, then app containers. The status of an init container that is no sidecar never
// counts.
std::vector<Part>& Parts(const PodDraft& draft) {
  thread_local std::vector<Part> parts;
  parts.clear();
  for (const ContainerDraft& container : draft.init_containers) {
    if (container.always) {
      parts.push_back({&container, BERTH_CONTAINER_SIDECAR, StatusOf(draft, container.name)});
    } else {
      parts.push_back({&container, BERTH_CONTAINER_INIT, nullptr});
    }
  }
  for (const ContainerDraft& container : draft.containers) {
    parts.push_back({&container, BERTH_CONTAINER_APP, StatusOf(draft, container.name)});
  }
  return parts;
}

class Lists {
 public:
  Lists(const InternTables& intern, BlockWriter& writer, const PodDraft& draft)
      : intern_(intern), writer_(writer), draft_(draft) {}

  QuantityList Exact(Range range) {
    QuantityList list;
    list.reserve(range.size());
    for (uint32_t i = range.begin; i < range.end; ++i) {
      list.emplace_back(writer_.Text(draft_.quantities[i].name), draft_.quantities[i].value);
    }
    return list;
  }
  berth_list Amounts(Range range) {
    std::vector<berth_amount> amounts;
    amounts.reserve(range.size());
    for (uint32_t i = range.begin; i < range.end; ++i) {
      amounts.push_back(ToAmount(intern_, writer_.Text(draft_.quantities[i].name), draft_.quantities[i].value));
    }
    return writer_.List(amounts, false);
  }

 private:
  const InternTables& intern_;
  BlockWriter& writer_;
  const PodDraft& draft_;
};

void Fill(const InternTables& intern, BlockWriter& writer, const PodDraft& draft, const std::vector<Part>& parts,
          ResourcesBlock& block) {
  Lists lists(intern, writer, draft);
  std::vector<berth_container> containers;
  for (const Part& part : parts) {
    const ContainerDraft& c = *part.container;
    containers.push_back({writer.Text(c.name), part.kind, lists.Amounts(c.requests), lists.Amounts(c.limits)});
    ContainerResources& exact = block.containers.emplace_back();
    exact.kind = part.kind;
    exact.requests = lists.Exact(c.requests);
    exact.has_status = part.status != nullptr;
    if (part.status == nullptr) continue;
    exact.actual = lists.Exact(part.status->actual);
    exact.allocated = lists.Exact(part.status->allocated);
  }
  block.abi.has = draft.has_pod_level ? BERTH_RESOURCES_POD_LEVEL : 0;
  block.abi.containers = writer.List(containers, false);
  block.abi.pod_requests = lists.Amounts(draft.pod_requests);
  block.abi.pod_limits = lists.Amounts(draft.pod_limits);
  block.abi.overhead = lists.Amounts(draft.overhead);
  block.has_pod_level = draft.has_pod_level;
  block.has_pod_status = draft.has_pod_status;
  block.resize_infeasible = draft.resize_infeasible;
  block.pod_requests = lists.Exact(draft.pod_requests);
  block.pod_actual = lists.Exact(draft.pod_actual);
  block.pod_allocated = lists.Exact(draft.pod_allocated);
  block.overhead = lists.Exact(draft.overhead);
}

}  // namespace

Ref<const ResourcesBlock> MakeResources(InternTables& intern, const PodDraft& draft) {
  const std::vector<Part>& parts = Parts(draft);
  ContentKey key;
  const auto add = [&](Range range) {
    key.Number32(range.size());
    for (uint32_t i = range.begin; i < range.end; ++i) {
      key.Text(draft.quantities[i].name).Quantity(draft.quantities[i].value);
    }
  };
  key.Number32(draft.has_pod_level + 2u * draft.has_pod_status + 4u * draft.resize_infeasible);
  key.Number32(static_cast<uint32_t>(parts.size()));
  for (const Part& part : parts) {
    key.Number32(part.kind + (part.status != nullptr ? 256 : 0)).Text(part.container->name);
    add(part.container->requests);
    add(part.container->limits);
    if (part.status == nullptr) continue;
    add(part.status->actual);
    add(part.status->allocated);
  }
  for (Range range : {draft.pod_requests, draft.pod_limits, draft.pod_actual, draft.pod_allocated, draft.overhead}) {
    add(range);
  }
  return ShareBlock<ResourcesBlock>(
      intern, 'R', key, [&](BlockWriter& writer, ResourcesBlock& block) { Fill(intern, writer, draft, parts, block); });
}

}  // namespace berth::api
