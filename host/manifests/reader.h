// Objects out of manifest files: YAML of one or many documents, JSON, lists of either. Callers: the loader.
// Thread: any; nothing is kept between calls.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::manifests {

// One object and where it came from.
struct Object {
  json::Value value;  // has apiVersion and kind; a Pod or Node made by an API server has `raw` instead
  std::string raw;    // JSON text of a Pod or Node with metadata.uid, out of a JSON list; else empty
  std::string kind;
  std::string file;
  std::string item;  // "items[7]" of a list read item by item: marks say nothing then; else empty

  // "file:line:column" of the mark, or "file: items[7]".
  std::string PlaceOf(const json::Mark& mark) const;
  std::string Place() const { return PlaceOf(value.mark()); }
};

// path: a file, a directory (its *.yaml, *.yml and *.json in the order of their names), or "-" for standard input.
// Lists are flattened. The error names file, line and column.
base::Result<void> ReadManifests(const std::string& path, const std::function<base::Result<void>(Object)>& sink);

}  // namespace berth::manifests
