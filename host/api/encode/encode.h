// Encodes pods and nodes as manifests: the fields that plugins read, so that a child process can decode its own
// objects. Without volumes, claims, and gates, which need other objects or keep the pod from being scheduled, and
// without statuses of containers. Amounts are the integers that plugins read. Thread: any that may read the object.
#pragma once

#include "api/node.h"
#include "api/pod.h"
#include "codec/json/value.h"

namespace berth::encode {

json::Value PodManifest(const api::InternTables& intern, const api::Pod& pod);
json::Value NodeManifest(const api::InternTables& intern, const api::Node& node);

}  // namespace berth::encode
