// Creates blocks from drafts. It writes the canonical content first, and interns and allocates only if no block has
// this content yet. All blocks of these types are created here, so equal content has the same key regardless of its
// source. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/block.h"
#include "api/draft.h"
#include "api/intern_tables.h"
#include "api/resources.h"
#include "api/selector_block.h"

namespace berth::api {

// pairs: sorted by key, unique.
Ref<const LabelsBlock> MakeLabels(InternTables& intern, const std::vector<TextPair>& pairs);
Ref<const ImagesBlock> MakeImages(InternTables& intern, const PodDraft& draft);
Ref<const ResourcesBlock> MakeResources(InternTables& intern, const PodDraft& draft);
Ref<const PortsBlock> MakePorts(InternTables& intern, const PodDraft& draft);
Ref<const TolerationsBlock> MakeTolerations(InternTables& intern, const std::vector<TolerationDraft>& tolerations);
// draft.selector: sorted by key, unique.
Ref<const NodeAffinityBlock> MakeNodeAffinity(InternTables& intern, const NodeAffinityDraft& draft);
Ref<const GatesBlock> MakeGates(InternTables& intern, const std::vector<std::string_view>& gates);
Ref<const TaintsBlock> MakeTaints(InternTables& intern, const std::vector<TaintDraft>& taints);

SelectorRef MakeSelector(InternTables& intern, const SelectorPool& pool, const SelectorDraft& draft);
Ref<const PodAffinityBlock> MakePodAffinity(InternTables& intern, const SelectorPool& pool,
                                            const PodAffinityDraft& draft);
Ref<const SpreadBlock> MakeSpread(InternTables& intern, const SelectorPool& pool,
                                  const std::vector<SpreadDraft>& spread);
Ref<const VolumesBlock> MakeVolumes(InternTables& intern, const PodDraft& draft);
Ref<const ClaimsBlock> MakeClaims(InternTables& intern, const std::vector<ClaimDraft>& claims);
Ref<const ControllerBlock> MakeController(InternTables& intern, const ControllerDraft& draft);

// The bytes that identify a block. It uses a buffer per thread, so at most one may exist on a thread.
class ContentKey {
 public:
  ContentKey();
  ContentKey(const ContentKey&) = delete;

  ContentKey& Number(uint64_t number) { return Bytes(&number, sizeof number); }
  ContentKey& Text(std::string_view text) {
    return Number32(static_cast<uint32_t>(text.size())).Bytes(text.data(), text.size());
  }
  // Distinguishes an absent text (data() is null) from an empty one.
  ContentKey& OptionalText(std::string_view text) { return text.data() == nullptr ? Number32(~0u) : Text(text); }
  ContentKey& Quantity(const base::Quantity& quantity) { return Bytes(&quantity, sizeof quantity); }
  ContentKey& Number32(uint32_t number) { return Bytes(&number, sizeof number); }
  std::string_view view() const { return bytes_; }

 private:
  ContentKey& Bytes(const void* bytes, size_t n) {
    bytes_.append(static_cast<const char*>(bytes), n);
    return *this;
  }
  std::string& bytes_;
};

// The block with this content. Calls fill(writer, block) only if there is none yet.
template <class B, class Fill>
Ref<const B> ShareBlock(InternTables& intern, char type, const ContentKey& key, Fill&& fill) {
  if (auto found = intern.blocks.Find<B>(type, key.view())) return found;
  BlockWriter writer(intern.ids);
  writer.Key(key.view().data(), key.view().size());
  auto fresh = std::make_unique<B>();
  fill(writer, *fresh);
  return intern.blocks.Intern(type, writer, std::move(fresh));
}

}  // namespace berth::api
