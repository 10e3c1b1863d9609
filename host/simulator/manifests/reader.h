// Reads objects from manifest files: YAML with one or many documents, JSON, and lists in both. Callers: the loader.
// Thread: any; stateless.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/json/value.h"

namespace berth::manifests {

// One object and its position.
struct Object {
  json::Value value;  // has apiVersion and kind; null if `raw` is used
  std::string raw;    // JSON text of a Pod or Node with metadata.uid from a JSON list; else empty
  std::string kind;
  std::string file;
  std::string item;  // "items[7]" of a list that is read item by item, which has no marks; else empty

  // "file:line:column" of the mark, or "file: items[7]".
  std::string PlaceOf(const json::Mark& mark) const;
  std::string Place() const { return PlaceOf(value.mark()); }
};

// path: a file, a directory (its *.yaml, *.yml, and *.json in name order), or "-" for standard input. Passes the items
// of lists one by one. The error names file, line, and column.
base::Result<void> ReadManifests(const std::string& path, const std::function<base::Result<void>(Object)>& sink);

}  // namespace berth::manifests
