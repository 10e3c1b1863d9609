#include "simulator/manifests/reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "api/json_items.h"
#include "base/read_all.h"
#include "codec/yaml/yaml_documents.h"

namespace berth::manifests {
namespace {

using Sink = std::function<base::Result<void>(Object)>;

std::string PlaceOf(const std::string& file, const json::Mark& mark) {
  if (mark.line == 0) return file;
  return file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

base::Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") return base::ReadAll(std::cin);
  std::ifstream in(path, std::ios::binary);
  if (!in) return base::Fail(path + ": " + std::strerror(errno));
  std::string text = base::ReadAll(in);
  if (in.bad()) return base::Fail(path + ": " + std::strerror(errno));
  return text;
}

// Passes on one document, or the items if it is a list.
base::Result<void> Flatten(json::Value value, const std::string& file, const std::string& item, const Sink& sink) {
  if (value.is_null()) return {};
  const std::string place = Object{{}, "", "", file, item}.PlaceOf(value.mark());
  if (!value.is_object()) return base::Fail(place + ": a Kubernetes object must be a map");
  const json::Value* kind = value.Find("kind");
  if (kind == nullptr || !kind->is_string() || kind->string().empty())
    return base::Fail(place + ": kind: Required value");
  const std::string name = kind->string();
  json::Value* items = value.Find("items");
  if (!name.ends_with("List") || items == nullptr) return sink({std::move(value), "", name, file, item});
  const std::string item_kind = name.substr(0, name.size() - 4);
  const json::Value* version = value.Find("apiVersion");
  for (json::Value& one : items->mutable_array()) {
    if (one.is_object() && one.Find("kind") == nullptr && !item_kind.empty()) {
      one.Set("kind", item_kind);
      if (version != nullptr && one.Find("apiVersion") == nullptr) one.Set("apiVersion", *version);
    }
    if (auto done = Flatten(std::move(one), file, item, sink); !done) return done;
  }
  return {};
}

bool LooksLikeJson(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

base::Result<void> ReadJsonItem(const api::JsonItem& item, const std::string& file, const Sink& sink) {
  const std::string which = "items[" + std::to_string(item.index) + "]";
  if (item.has_uid && (item.kind == "Pod" || item.kind == "Node")) {
    return sink({{}, std::string(item.json), item.kind, file, which});
  }
  auto value = json::Parse(item.json);
  if (!value) return base::Fail(file + ": " + which + ": " + value.error().message);
  if (value->Find("kind") == nullptr && !item.kind.empty()) {
    value->Set("kind", item.kind);
    if (value->Find("apiVersion") == nullptr) value->Set("apiVersion", "v1");  // NodeList, PodList
  }
  return Flatten(std::move(*value), file, which, sink);
}

base::Result<void> ReadYamlText(const std::string& text, const std::string& file, const Sink& sink) {
  yaml::YamlLimits limits;
  limits.max_bytes = size_t{1} << 30;
  limits.max_alias_nodes = 10'000'000;
  base::Result<void> result;
  const auto fault = yaml::ForEachYamlDocument(text, limits, [&](yaml::YamlDocument document) {
    if (!result) return;
    if (!document.duplicates.empty()) {
      const json::DuplicateKey& key = document.duplicates.front();
      result = base::Fail(PlaceOf(file, key.mark) + ": " + key.path + ": the key is given twice");
      return;
    }
    result = Flatten(std::move(document.root), file, "", sink);
  });
  if (!result) return result;
  if (fault) return base::Fail(PlaceOf(file, fault->mark) + ": " + fault->reason);
  return {};
}

base::Result<void> ReadOne(const std::string& path, const Sink& sink) {
  auto text = ReadFile(path);
  if (!text) return tl::unexpected(text.error());
  const std::string file = path == "-" ? "standard input" : path;
  if (LooksLikeJson(*text)) {
    base::Error inner;
    bool from_sink = false;
    auto list = api::ForEachJsonItem(*text, [&](const api::JsonItem& item) {
      auto done = ReadJsonItem(item, file, sink);
      from_sink = !done;
      return done;
    });
    if (list && *list) return {};
    if (!list && from_sink) return tl::unexpected(list.error());
    // No list, or invalid JSON. The YAML reader reports errors with line and column.
  }
  return ReadYamlText(*text, file, sink);
}

bool IsManifest(const std::filesystem::path& path) {
  const std::string extension = path.extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

}  // namespace

std::string Object::PlaceOf(const json::Mark& mark) const {
  return item.empty() ? manifests::PlaceOf(file, mark) : file + ": " + item;
}

base::Result<void> ReadManifests(const std::string& path, const Sink& sink) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_directory(path, error)) return ReadOne(path, sink);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (IsManifest(entry.path())) files.push_back(entry.path());
  }
  if (error) return base::Fail(path + ": " + error.message());
  if (files.empty()) return base::Fail(path + ": the directory contains no *.yaml, *.yml, or *.json");
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    if (auto done = ReadOne(file, sink); !done) return done;
  }
  return {};
}

}  // namespace berth::manifests
