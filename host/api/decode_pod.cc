#include "api/decode_pod.h"

#include "api/decode_parts.h"
#include "api/make_object.h"

namespace berth::api {
base::Result<PodRef> DecodePod(InternTables& intern, std::string_view json, KeepManifest keep) {
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
  return MakePod(intern, draft, Keeps(keep, draft) ? ManifestOf(json) : Manifest());
}

}  // namespace berth::api
