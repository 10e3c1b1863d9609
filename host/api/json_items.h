// The items of a Kubernetes list as texts of their own, so that `kubectl get nodes,pods -A -o json` of a large cluster
// is read without a tree of the whole. Thread: any; the parsers live as long as the call.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::api {

struct JsonItem {
  std::string_view json;  // lives until the callback returns
  size_t index = 0;
  std::string kind;      // its own, or the list's without "List"
  bool has_uid = false;  // metadata.uid: an API server has made it
};

// Calls item for every element of the document's items. false: the document is no list, nothing was called. The error
// is the callback's, or says what is malformed.
base::Result<bool> ForEachJsonItem(std::string_view json,
                                   const std::function<base::Result<void>(const JsonItem&)>& item);

// Which object this is, read from its metadata alone, so that it is known even of one that cannot be decoded. Empty
// texts where it says nothing.
struct JsonIdentity {
  std::string key;  // "namespace/name", or the name of what has no namespace
  std::string resource_version;
};
JsonIdentity IdentityOf(std::string_view json);

// metadata of a list: what a watch of it goes on from, and the page that follows ("" at the last).
struct JsonListMetadata {
  std::string resource_version, next;
};
JsonListMetadata ListMetadataOf(std::string_view json);

}  // namespace berth::api
