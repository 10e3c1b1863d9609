#include "api/selector_json.h"

#include <algorithm>

namespace berth::api {

std::string SelectorJson::Child(const std::string& path, std::string_view name) {
  std::string child = path.empty() ? path : path + '.';
  return child.append(name);
}

bool SelectorJson::IsObject(const json::Value& value, const std::string& path,
                            std::initializer_list<std::string_view> known) {
  if (value.is_null()) return false;
  if (!value.is_object()) {
    Report(path, "expected an object");
    return false;
  }
  for (const auto& [name, member] : value.object()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) Report(Child(path, name), "unknown field");
  }
  return true;
}

std::string_view SelectorJson::Text(const json::Value& object, std::string_view name, const std::string& path) {
  const json::Value* value = object.Find(name);
  if (value == nullptr || value->is_null()) return {};
  if (!value->is_string()) Report(Child(path, name), "expected a string");
  return value->string();
}

const json::Array& SelectorJson::Array(const json::Value& object, std::string_view name, const std::string& path) {
  static const json::Array kEmpty;
  const json::Value* value = object.Find(name);
  if (value == nullptr || value->is_null()) return kEmpty;
  if (!value->is_array()) Report(Child(path, name), "expected an array");
  return value->array();
}

std::vector<std::string_view> SelectorJson::Texts(const json::Value& object, std::string_view name,
                                                  const std::string& path) {
  std::vector<std::string_view> texts;
  for (const json::Value& value : Array(object, name, path)) {
    if (!value.is_string() && !value.is_null()) {
      Report(Index(Child(path, name), texts.size()), "expected a string");
    }
    texts.push_back(value.string());
  }
  return texts;
}

}  // namespace berth::api
