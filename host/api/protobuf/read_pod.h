// Reading of the parts of a v1.Pod, each from the current field of the outer message; pod.cc combines them. Thread: the
// message's. Throws DecodeError.
#pragma once

#include <vector>

#include "api/draft.h"
#include "api/protobuf/message.h"

namespace berth::protobuf {

void ReadPodSpec(Message& outer, api::PodDraft& draft);
void ReadPodStatus(Message& outer, api::PodDraft& draft);
void ReadPodAffinity(Message& outer, bool anti, api::PodDraft& draft);
// One element of a repeated field.
void ReadSpread(Message& outer, api::PodDraft& draft);
void ReadVolume(Message& outer, api::PodDraft& draft);
void ReadResourceClaim(Message& outer, std::vector<api::ClaimDraft>& claims);
void ReadContainer(Message& outer, const char* name, api::PodDraft& draft, std::vector<api::ContainerDraft>& out);

}  // namespace berth::protobuf
