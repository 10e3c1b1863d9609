// Decoding of the parts of a v1.Pod; decode_pod.cc combines them. Thread: as the reader's.
#pragma once

#include "api/draft.h"
#include "api/json_reader.h"

namespace berth::api {

bool DecodePodSpec(JsonReader& reader, JsonReader::Value value, PodDraft& draft);
bool DecodePodStatus(JsonReader& reader, JsonReader::Value value, PodDraft& draft);
bool DecodeSelector(JsonReader& reader, JsonReader::Value value, SelectorPool& pool, SelectorDraft& draft);
bool DecodePodAffinity(JsonReader& reader, JsonReader::Value value, bool anti, PodDraft& draft);
bool DecodeSpread(JsonReader& reader, JsonReader::Value value, PodDraft& draft);
bool DecodeVolumes(JsonReader& reader, JsonReader::Value value, PodDraft& draft);
bool DecodeResourceClaims(JsonReader& reader, JsonReader::Value value, std::vector<ClaimDraft>& claims);
bool DecodeContainers(JsonReader& reader, JsonReader::Value value, PodDraft& draft, std::vector<ContainerDraft>& out);

}  // namespace berth::api
