// MakeVolumes, MakeClaims, MakeController: a pod's references to other objects.
#include "api/content.h"

namespace berth::api {

Ref<const VolumesBlock> MakeVolumes(InternTables& intern, const PodDraft& draft) {
  ContentKey key;
  for (const VolumeDraft& volume : draft.volumes) {
    key.Number32(volume.kind + (volume.read_only ? 256 : 0));
    key.OptionalText(volume.handle).OptionalText(volume.name).OptionalText(volume.pool);
    key.Number32(volume.monitors.size());
    for (uint32_t i = volume.monitors.begin; i < volume.monitors.end; ++i) key.Text(draft.monitors[i]);
  }
  return ShareBlock<VolumesBlock>(intern, 'V', key, [&](BlockWriter& writer, VolumesBlock& block) {
    std::vector<berth_volume> items;
    items.reserve(draft.volumes.size());
    for (const VolumeDraft& volume : draft.volumes) {
      std::vector<berth_id> monitors;
      for (uint32_t i = volume.monitors.begin; i < volume.monitors.end; ++i) {
        monitors.push_back(writer.Text(draft.monitors[i]));
      }
      items.push_back({volume.kind, volume.read_only ? BERTH_VOLUME_READ_ONLY : 0, writer.OptionalText(volume.handle),
                       writer.OptionalText(volume.name), writer.OptionalText(volume.pool), 0,
                       writer.List(monitors, false)});
    }
    block.abi.items = writer.List(items, false);
  });
}

Ref<const ClaimsBlock> MakeClaims(InternTables& intern, const std::vector<ClaimDraft>& claims) {
  ContentKey key;
  for (const ClaimDraft& claim : claims) {
    key.OptionalText(claim.name).OptionalText(claim.claim_name).OptionalText(claim.template_name);
  }
  return ShareBlock<ClaimsBlock>(intern, 'C', key, [&](BlockWriter& writer, ClaimsBlock& block) {
    std::vector<berth_pod_claim> items;
    items.reserve(claims.size());
    for (const ClaimDraft& claim : claims) {
      items.push_back({writer.OptionalText(claim.name), writer.OptionalText(claim.claim_name),
                       writer.OptionalText(claim.template_name)});
    }
    block.abi.items = writer.List(items, false);
  });
}

Ref<const ControllerBlock> MakeController(InternTables& intern, const ControllerDraft& draft) {
  ContentKey key;
  if (draft.set) key.Text(draft.api_version).Text(draft.kind).Text(draft.name).Text(draft.uid);
  return ShareBlock<ControllerBlock>(intern, 'O', key, [&](BlockWriter& writer, ControllerBlock& block) {
    if (!draft.set) return;
    block.abi.api_version = writer.Text(draft.api_version);
    block.abi.kind = writer.Text(draft.kind);
    block.abi.name = writer.Text(draft.name);
    block.abi.uid = writer.Text(draft.uid);
  });
}

}  // namespace berth::api
