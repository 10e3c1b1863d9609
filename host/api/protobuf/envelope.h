// What objects are wrapped in when they are protobuf: the envelope with the kind, lists, watch events, and statuses.
// Thread: any. Ownership: all views are views of the body. Source: k8s.io/apimachinery/pkg/runtime/serializer/protobuf,
// pkg/apis/meta/v1 and pkg/runtime generated.proto.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "api/json_items.h"
#include "base/result.h"

namespace berth::protobuf {

inline constexpr std::string_view kEnvelopeMagic("k8s\0", 4);
// Whether the body begins with the magic.
bool IsEnvelope(std::string_view body);
// A runtime.Unknown behind the magic.
struct Envelope {
  std::string_view api_version, kind;  // "v1", "PodList"
  std::string_view message;            // without the magic
};
// The error says that the body is no envelope.
base::Result<Envelope> OpenEnvelope(std::string_view body);

// Calls `item` with the message of every item of the list in the envelope. The error is that of `item`, or names what
// is malformed; items before it have been passed on.
base::Result<api::ListMetadata> ForEachItem(std::string_view body,
                                            const std::function<base::Result<void>(std::string_view)>& item);

// A metav1.WatchEvent; its object is an envelope.
struct WatchFrame {
  std::string_view type;  // "ADDED"
  std::string_view message;
};
base::Result<WatchFrame> OpenWatchFrame(std::string_view frame);

// The identity of an object, read from its metadata only, so it is known even if the object cannot be decoded. Texts
// that are absent are empty; all are empty if the metadata is malformed.
api::ObjectIdentity IdentityOf(std::string_view message);
// Of the object of a BOOKMARK.
struct BookmarkFields {
  std::string_view resource_version;
  bool initial_events_end = false;
};
BookmarkFields BookmarkOf(std::string_view message);
// A metav1.Status; the fields up to a malformed one.
struct StatusFields {
  std::string_view message, reason;
  int32_t code = 0;
  int32_t retry_after_seconds = 0;
};
StatusFields StatusOf(std::string_view message);

}  // namespace berth::protobuf
