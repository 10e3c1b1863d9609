// Encodes pods and nodes as manifests: the fields that plugins read, so that a child process can decode its own
// objects. Without volumes, claims, and gates, which need other objects or keep the pod from being scheduled, and
// without statuses of containers. Amounts are the integers that plugins read. Thread: any that may read the object.
#pragma once

#include <functional>
#include <string_view>

#include "api/node.h"
#include "api/pod.h"
#include "codec/json/value.h"

namespace berth::encode {

// The text of an id in an object. The text lives as long as the object.
using IdText = std::function<std::string_view(berth_id)>;
inline IdText TextOf(const api::InternTables& intern) {
  return [&intern](berth_id id) { return intern.ids.Text(id); };
}

// What plugins see of the object. Its ids may come from any table.
json::Value PodManifest(const IdText& text_of, const berth_pod& pod);
json::Value NodeManifest(const IdText& text_of, const berth_node& node);

// Also what only the host sees: the phase of a pod, and which container has which port; the uid and the images of a
// node.
json::Value PodManifest(const api::InternTables& intern, const api::Pod& pod);
json::Value NodeManifest(const api::InternTables& intern, const api::Node& node);

}  // namespace berth::encode
