// The items of a Kubernetes list as separate texts. `kubectl get nodes,pods -A -o json` of a large cluster is then read
// without a tree of the whole document. Thread: any; the parsers live as long as the call.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::api {

struct JsonItem {
  std::string_view json;  // lives until the callback returns
  size_t index = 0;
  std::string kind;      // the item's kind, or the list's without "List"
  bool has_uid = false;  // metadata.uid is set: the object comes from an API server
};

// Calls `item` for every element of the document's items. Returns false, without a call, if the document is no list.
// The error is the callback's, or names what is malformed.
base::Result<bool> ForEachJsonItem(std::string_view json,
                                   const std::function<base::Result<void>(const JsonItem&)>& item);

// The identity of an object, read from its metadata only, so it is known even if the object cannot be decoded. Absent
// texts are empty.
struct ObjectIdentity {
  std::string key;  // "namespace/name"; the name if it has no namespace
  std::string resource_version;
};
ObjectIdentity IdentityOf(std::string_view json);

// metadata of a list: the version from which a watch continues, and the token of the next page ("" for the last page).
struct ListMetadata {
  std::string resource_version, next;
};
ListMetadata ListMetadataOf(std::string_view json);

}  // namespace berth::api
