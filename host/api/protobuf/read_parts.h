// Reading of the parts that pods and nodes have in common, from the current field of a message into drafts. Thread: the
// message's. Drafts contain views of the message. Throws DecodeError.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/draft.h"
#include "api/protobuf/message.h"

namespace berth::protobuf {

// The begin or the end of a range.
template <class T>
uint32_t PoolSize(const std::vector<T>& pool) {
  return static_cast<uint32_t>(pool.size());
}

// The entries of a map that follow each other at once are read together.
void ReadPairs(Message& message, std::vector<api::TextPair>& pairs);
// The pairs or quantities become the tail of the pool, sorted and unique.
api::Range ReadSortedPairs(Message& message, std::vector<api::TextPair>& pool);
api::Range ReadQuantities(Message& message, const char* name, std::vector<api::NamedQuantity>& pool);
api::Range ReadTexts(Message& message, std::vector<std::string_view>& pool);

void ReadMetadata(Message& outer, api::MetadataDraft& draft, bool with_annotations);
void ReadLabelSelector(Message& outer, const char* name, api::SelectorPool& pool, api::SelectorDraft& draft);
void ReadNodeAffinity(Message& outer, api::NodeAffinityDraft& draft);

}  // namespace berth::protobuf
