// Pods and nodes from protobuf: the same objects as api::DecodePod and api::DecodeNode make of the JSON of the same
// object. What no plugin reads is skipped unread, such as metadata.managedFields. Thread: any.
#pragma once

#include <string_view>

#include "api/intern_tables.h"
#include "api/manifest.h"
#include "api/node.h"
#include "api/pod.h"
#include "base/result.h"

namespace berth::protobuf {

// message: a v1.Pod or v1.Node without an envelope. Errors name the object and the field, as those for JSON do; a
// manifest that is kept is JSON.
base::Result<api::PodRef> DecodePodMessage(api::InternTables& intern, std::string_view message,
                                           api::KeepManifest keep = api::KeepManifest::kNo);
base::Result<api::NodeRef> DecodeNodeMessage(api::InternTables& intern, std::string_view message,
                                             api::KeepManifest keep = api::KeepManifest::kNo);

}  // namespace berth::protobuf
