// Makes blocks of drafts: the canonical content is written once, and only a content that nobody holds yet costs
// interning and memory. Every block of these types is made here, so that equal content has one key whatever it was read
// from. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/block.h"
#include "api/draft.h"
#include "api/resources.h"
#include "api/selector_block.h"
#include "api/vocabulary.h"

namespace berth::api {

// pairs: sorted by key, unique.
Ref<const LabelsBlock> MakeLabels(Vocabulary& words, const std::vector<TextPair>& pairs);
Ref<const ImagesBlock> MakeImages(Vocabulary& words, const PodDraft& draft);
Ref<const ResourcesBlock> MakeResources(Vocabulary& words, const PodDraft& draft);
Ref<const PortsBlock> MakePorts(Vocabulary& words, const PodDraft& draft);
Ref<const TolerationsBlock> MakeTolerations(Vocabulary& words, const std::vector<TolerationDraft>& tolerations);
// draft.selector: sorted by key, unique.
Ref<const NodeAffinityBlock> MakeNodeAffinity(Vocabulary& words, const NodeAffinityDraft& draft);
Ref<const GatesBlock> MakeGates(Vocabulary& words, const std::vector<std::string_view>& gates);
Ref<const TaintsBlock> MakeTaints(Vocabulary& words, const std::vector<TaintDraft>& taints);

SelectorRef MakeSelector(Vocabulary& words, const SelectorPool& pool, const SelectorDraft& draft);
Ref<const PodAffinityBlock> MakePodAffinity(Vocabulary& words, const SelectorPool& pool, const PodAffinityDraft& draft);
Ref<const SpreadBlock> MakeSpread(Vocabulary& words, const SelectorPool& pool, const std::vector<SpreadDraft>& spread);
Ref<const VolumesBlock> MakeVolumes(Vocabulary& words, const PodDraft& draft);
Ref<const ClaimsBlock> MakeClaims(Vocabulary& words, const std::vector<ClaimDraft>& claims);
Ref<const ControllerBlock> MakeController(Vocabulary& words, const ControllerDraft& draft);

// The bytes that a block is found by. Uses one buffer per thread: only one may be alive on a thread.
class ContentKey {
 public:
  ContentKey();
  ContentKey(const ContentKey&) = delete;

  ContentKey& Number(uint64_t number) { return Bytes(&number, sizeof number); }
  ContentKey& Text(std::string_view text) {
    return Number32(static_cast<uint32_t>(text.size())).Bytes(text.data(), text.size());
  }
  // Tells a text that was not given (data() is null) from an empty one.
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

// The block with this content. fill(writer, block) is called only if there is none yet.
template <class B, class Fill>
Ref<const B> ShareBlock(Vocabulary& words, char type, const ContentKey& key, Fill&& fill) {
  if (auto found = words.blocks.Find<B>(type, key.view())) return found;
  BlockWriter writer(words.ids);
  writer.Key(key.view().data(), key.view().size());
  auto fresh = std::make_unique<B>();
  fill(writer, *fresh);
  return words.blocks.Intern(type, writer, std::move(fresh));
}

}  // namespace berth::api
