#include "scheduler/explain/patched_manifest.h"

#include <charconv>
#include <utility>

namespace berth::explain {
namespace {

// JSON pointer, RFC 6901.
std::string PointerText(const Path& path) {
  std::string out;
  for (const std::string& token : path) {
    out += '/';
    for (const char c : token) {
      if (c == '~') {
        out += "~0";
      } else if (c == '/') {
        out += "~1";
      } else {
        out += c;
      }
    }
  }
  return out;
}

// The index that the token is; the size of the array: it is none of the array.
size_t IndexIn(const json::Array& array, const std::string& token) {
  size_t index = array.size();
  std::from_chars(token.data(), token.data() + token.size(), index);
  return std::min(index, array.size());
}

}  // namespace

const json::Value* PatchedManifest::Find(const Path& path) const {
  const json::Value* at = &manifest_;
  for (const std::string& token : path) {
    if (at->is_array()) {
      const size_t index = IndexIn(at->array(), token);
      at = index == at->array().size() ? nullptr : &at->array()[index];
    } else {
      at = at->Find(token);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

void PatchedManifest::Replace(const Path& path, json::Value value) {
  json::Value* old = Mutable(path);
  if (old == nullptr) return;
  Record("replace", path).Set("value", value);
  *old = std::move(value);
}

void PatchedManifest::Append(const Path& path, json::Value value) {
  if (json::Value* array = Mutable(path)) {
    Path end = path;
    end.emplace_back("-");
    Record("add", end).Set("value", value);
    array->Append(std::move(value));
    return;
  }
  Path parent = path;
  parent.pop_back();
  json::Value* object = Mutable(parent);
  if (object == nullptr) return;
  const json::Value array = json::Value(json::Array{std::move(value)});
  Record("add", path).Set("value", array);
  object->Set(path.back(), array);
}

void PatchedManifest::Remove(const Path& path) {
  if (Find(path) == nullptr) return;
  Record("remove", path);
  Path parent = path;
  parent.pop_back();
  json::Value* holder = Mutable(parent);
  if (!holder->is_array()) {
    holder->Erase(path.back());
    return;
  }
  json::Array& array = holder->mutable_array();
  array.erase(array.begin() + static_cast<std::ptrdiff_t>(IndexIn(array, path.back())));
}

json::Value& PatchedManifest::Record(const char* op, const Path& path) {
  operations_.push_back(json::Value::MakeObject({{"op", op}, {"path", PointerText(path)}}));
  return operations_.back();
}

}  // namespace berth::explain
