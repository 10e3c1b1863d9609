#include "api/protobuf/pod_and_node.h"

#include <memory>
#include <string>

#include "api/draft.h"
#include "api/make_object.h"
#include "api/protobuf/envelope.h"
#include "api/protobuf/fields.h"
#include "api/protobuf/read_node.h"
#include "api/protobuf/read_parts.h"
#include "api/protobuf/read_pod.h"
#include "api/protobuf/transcode.h"
#include "base/text.h"

namespace berth::protobuf {
namespace {

tl::unexpected<base::Error> Failed(std::string_view kind, std::string_view message, std::string_view why) {
  std::string text(kind);
  text += ' ' + base::Quoted(IdentityOf(message).key) + ": ";
  return base::Fail(text.append(why));
}

api::Manifest ManifestOf(const char* path, std::string_view message) {
  auto json = ToJson(*FindKind(path), message);
  if (!json) throw DecodeError(json.error().message);
  return api::KeptManifest(std::move(*json));
}

void ReadPod(std::string_view text, api::PodDraft& draft) {
  draft.Clear();
  Message message(text);
  while (message.Next()) {
    switch (message.field()) {
      case fields::Pod::kMetadata: ReadMetadata(message, draft.metadata, false); break;
      case fields::Pod::kSpec: ReadPodSpec(message, draft); break;
      case fields::Pod::kStatus: ReadPodStatus(message, draft); break;
    }
  }
}

}  // namespace

base::Result<api::PodRef> DecodePodMessage(api::InternTables& intern, std::string_view message,
                                           api::KeepManifest keep) {
  thread_local api::PodDraft draft;
  try {
    ReadPod(message, draft);
    return MakePod(intern, draft, Keeps(keep, draft) ? ManifestOf("/api/v1/pods", message) : api::Manifest());
  } catch (const DecodeError& e) {
    return Failed("pod", message, e.what());
  }
}

base::Result<api::NodeRef> DecodeNodeMessage(api::InternTables& intern, std::string_view message,
                                             api::KeepManifest keep) {
  thread_local NodeReading reading;
  try {
    reading.Read(message);
    const bool kept = keep != api::KeepManifest::kNo;
    return MakeNode(intern, reading.draft(), kept ? ManifestOf("/api/v1/nodes", message) : api::Manifest());
  } catch (const DecodeError& e) {
    return Failed("node", message, e.what());
  }
}

}  // namespace berth::protobuf
