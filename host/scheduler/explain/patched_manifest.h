// A pod's manifest that is being edited, and the edits as a JSON patch (RFC 6902). The manifest is what encode writes,
// so that the patch names members as the API server's object has them, but for those that encode places elsewhere.
// Thread: a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/json/value.h"

namespace berth::explain {

using Path = std::vector<std::string>;  // names of members and indices of arrays: {"spec", "containers", "0"}

class PatchedManifest {
 public:
  explicit PatchedManifest(json::Value manifest) : manifest_(std::move(manifest)) {}

  const json::Value& manifest() const { return manifest_; }
  const json::Array& operations() const { return operations_; }

  // null: there is no such value.
  const json::Value* Find(const Path& path) const;
  // Replaces the value, which exists.
  void Replace(const Path& path, json::Value value);
  // Appends to the array; an absent one is created.
  void Append(const Path& path, json::Value value);
  // Removes a member of an object, or an element of an array. No effect if it is absent.
  void Remove(const Path& path);

 private:
  json::Value& Record(const char* op, const Path& path);
  json::Value* Mutable(const Path& path) { return const_cast<json::Value*>(Find(path)); }

  json::Value manifest_;
  json::Array operations_;
};

}  // namespace berth::explain
