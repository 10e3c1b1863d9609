// Pods and nodes back as manifests, from their typed views: what plugins read of them, so that a child process can
// decode its own. Left out: volumes, claims and gates, which would need further objects or keep the pod from being
// tried; statuses of containers; amounts are the integers that plugins see. Thread: any that may read the object.
#pragma once

#include "api/node.h"
#include "api/pod.h"
#include "json/value.h"

namespace berth::canary {

json::Value PodManifest(const api::Vocabulary& words, const api::Pod& pod);
json::Value NodeManifest(const api::Vocabulary& words, const api::Node& node);

}  // namespace berth::canary
