#include "api/decode_pod.h"

#include "api/content.h"
#include "api/decode_parts.h"
#include "api/pod.h"

namespace berth::api {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";

PodRef Finish(Vocabulary& words, const PodDraft& draft) {
  Ref<Pod> pod(new Pod(words));
  pod->name = draft.metadata.name;
  pod->uid = draft.metadata.uid;
  pod->resource_version = draft.metadata.resource_version;
  pod->generation = draft.metadata.generation;
  pod->phase = draft.phase;
  pod->scheduled_condition.status = draft.scheduled.status;
  pod->scheduled_condition.reason = draft.scheduled.reason;
  pod->scheduled_condition.message = draft.scheduled.message;
  if (!draft.claims.empty() || !draft.extended_claim.empty()) {
    pod->claim_statuses = draft.claims + ";" + draft.extended_claim;
  }
  pod->n_tolerations = static_cast<uint32_t>(draft.tolerations.size());
  pod->SetNamespace(draft.metadata.ns);
  pod->SetSchedulerName(draft.scheduler_name.empty() ? kDefaultScheduler : draft.scheduler_name);
  pod->SetNodeName(draft.node_name);
  pod->SetNominatedNode(draft.nominated_node);
  pod->abi.priority = draft.priority;
  pod->abi.has = draft.has_priority ? BERTH_POD_HAS_PRIORITY : 0;
  pod->abi.creation_unix_ns = draft.metadata.creation_unix_ns;
  pod->abi.deletion_unix_ns = draft.metadata.deletion_unix_ns;
  pod->labels = MakeLabels(words, draft.metadata.labels);
  pod->images = MakeImages(words, draft);
  pod->resources = MakeResources(words, draft);
  pod->ports = MakePorts(words, draft);
  pod->tolerations = MakeTolerations(words, draft.tolerations);
  pod->node_affinity = MakeNodeAffinity(words, draft.affinity);
  pod->gates = MakeGates(words, draft.gates);
  pod->Seal();
  return pod;
}

}  // namespace

base::Result<PodRef> DecodePod(Vocabulary& words, std::string_view json) {
  thread_local PodDraft draft;
  draft.Clear();
  JsonReader& reader = JsonReader::OfThread();
  const bool ok = reader.Read(json, [&](std::string_view key, JsonReader::Value value) {
    if (key == "metadata") return DecodeMetadata(reader, value, draft.metadata, false);
    if (key == "spec") return DecodePodSpec(reader, value, draft);
    if (key == "status") return DecodePodStatus(reader, value, draft);
    return true;
  });
  if (!ok) {
    const std::string error = reader.error();
    return base::Fail(NameForError("pod", json) + ": " + error);
  }
  SortUnique(draft.affinity.selector);
  return Finish(words, draft);
}

}  // namespace berth::api
