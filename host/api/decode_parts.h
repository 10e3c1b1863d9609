// Decoding of the parts that pods and nodes have in common. Thread: as the reader's. Drafts contain views into the
// reader's document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/draft.h"
#include "api/json_reader.h"

namespace berth::api {

// A map of texts, in document order. A null value is "", as in Go.
bool DecodePairs(JsonReader& reader, JsonReader::Value value, std::vector<TextPair>& pairs);
bool DecodeTexts(JsonReader& reader, JsonReader::Value value, std::vector<std::string_view>& texts);
// Appends to the pool.
bool DecodeTexts(JsonReader& reader, JsonReader::Value value, std::vector<std::string_view>& pool, Range& range);
// Appends a v1.ResourceList to the pool, sorted by name.
bool DecodeQuantities(JsonReader& reader, JsonReader::Value value, std::vector<NamedQuantity>& pool, Range& range);
// metadata: name, namespace, uid, versions, times, labels, the controlling owner, and annotations if requested. Sorts
// labels and annotations.
bool DecodeMetadata(JsonReader& reader, JsonReader::Value value, MetadataDraft& draft, bool with_annotations);
// spec.affinity.nodeAffinity.
bool DecodeNodeAffinity(JsonReader& reader, JsonReader::Value value, NodeAffinityDraft& draft);

// `pod "ns/name"` or `node "name"`, from what can still be read of the document; for error messages. kind: "pod" or
// "node".
std::string NameForError(std::string_view kind, std::string_view json);

}  // namespace berth::api
