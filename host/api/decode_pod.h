// The parts of a v1.Pod on the wire; decode_pod.cc puts them together. Thread: as the reader's.
#pragma once

#include "api/draft.h"
#include "api/json_reader.h"

namespace berth::api {

bool DecodePodSpec(JsonReader& reader, JsonReader::Value value, PodDraft& draft);
bool DecodePodStatus(JsonReader& reader, JsonReader::Value value, PodDraft& draft);
bool DecodeContainers(JsonReader& reader, JsonReader::Value value, PodDraft& draft, std::vector<ContainerDraft>& out);

}  // namespace berth::api
