// From a complete draft to the object. The decoders of JSON and of protobuf share it. Thread: any.
#pragma once

#include "api/draft.h"
#include "api/intern_tables.h"
#include "api/manifest.h"
#include "api/node.h"
#include "api/pod.h"

namespace berth::api {

// Whether the decoder of this pod keeps its manifest.
bool Keeps(KeepManifest keep, const PodDraft& draft);
// manifest: null if it is not kept. Both sort the pairs of the draft.
PodRef MakePod(InternTables& intern, PodDraft& draft, Manifest manifest);
NodeRef MakeNode(InternTables& intern, NodeDraft& draft, Manifest manifest);

}  // namespace berth::api
