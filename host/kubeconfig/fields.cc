#include "kubeconfig/fields.h"

#include <algorithm>

#include "config/base64.h"
#include "config/field_reader.h"
#include "kubeconfig/discretion.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

using json::Value;

bool IsEmpty(const Value& value) {
  return value == Value("") || value == Value(false) || (value.is_array() && value.array().empty()) ||
         (value.is_object() && value.object().empty());
}

}  // namespace

std::string WrongKind(const char* expected, const Value& value) {
  return std::string("expected ") + expected + ", got " + config::KindName(value);
}

Fields::Fields(const Value& object, std::string path, config::Issues& issues)
    : object_(object), path_(std::move(path)), issues_(issues) {
  if (!object.is_null() && !object.is_object()) issues_.AddAt(object.mark(), path_, WrongKind("an object", object));
}

const Value* Fields::Find(std::string_view name) {
  known_.push_back(name);
  const Value* value = object_.Find(name);
  return value && !value->is_null() ? value : nullptr;
}

const Value& Fields::OfKind(std::string_view name, json::Kind kind, const char* expected) {
  static const Value kNone;
  const Value* value = Find(name);
  if (!value) return kNone;
  if (value->kind() == kind) return *value;
  issues_.AddAt(value->mark(), PathOf(name), WrongKind(expected, *value));
  return kNone;
}

std::string Fields::Text(std::string_view name) { return OfKind(name, json::Kind::kString, "a string").string(); }

bool Fields::Flag(std::string_view name) { return OfKind(name, json::Kind::kBool, "a bool").boolean(); }

const Value& Fields::Object(std::string_view name) { return OfKind(name, json::Kind::kObject, "an object"); }

const Value& Fields::List(std::string_view name) { return OfKind(name, json::Kind::kArray, "a list"); }

std::string Fields::Bytes(std::string_view name) {
  const base::Result<std::string> bytes = config::DecodeBase64(Text(name));
  if (bytes) return *bytes;
  issues_.Add(PathOf(name), bytes.error().message);
  return {};
}

std::vector<std::string> Fields::Texts(std::string_view name) {
  std::vector<std::string> texts;
  const json::Array& list = List(name).array();
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string() && !list[i].is_null()) {
      issues_.AddAt(list[i].mark(), config::Index(PathOf(name), i), WrongKind("a string", list[i]));
    }
    texts.push_back(list[i].string());
  }
  return texts;
}

void Fields::Ignore(std::initializer_list<std::string_view> names) { known_.insert(known_.end(), names); }

void Fields::Refuse(std::string_view name, const std::string& reason) {
  const Value* value = Find(name);
  if (value && !IsEmpty(*value)) issues_.AddAt(value->key_mark(), PathOf(name), reason);
}

void Fields::WarnOfOthers(const std::string& file) {
  for (const json::Member& member : object_.object()) {
    if (std::find(known_.begin(), known_.end(), member.first) != known_.end()) continue;
    const json::Mark mark = member.second.key_mark();
    const std::string place = file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
    log::Warning("Ignoring an unknown field of the kubeconfig",
                 {{"place", place}, {"field", PathOf(ShownName(member.first))}});
  }
}

}  // namespace berth::kubeconfig
