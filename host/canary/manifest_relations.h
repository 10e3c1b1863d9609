// The parts of a pod's manifest that say where it wants to be: node selector, affinities, spreading. Thread: any.
#pragma once

#include "api/pod.h"
#include "json/value.h"

namespace berth::canary {

void SetPlacement(const api::Vocabulary& words, const berth_pod& pod, json::Value& spec);

}  // namespace berth::canary
