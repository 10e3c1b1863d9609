// Reads one object of a kubeconfig as client-go does: types must be right, null counts as absent, fields nobody knows
// are ignored (with a warning). Unlike config::FieldReader it never shows a value, for most of them are secret. Thread:
// one reader, one thread; it borrows everything.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/issue.h"
#include "json/value.h"

namespace berth::kubeconfig {

class Fields {
 public:
  // object may be null (nothing set). Anything else but an object is an issue, and no field is found then.
  Fields(const json::Value& object, std::string path, config::Issues& issues);

  // Each is empty, or false, when the field is absent or wrong; wrong is an issue. Names live as long as the reader.
  std::string Text(std::string_view name);
  std::string Bytes(std::string_view name);  // out of base64
  bool Flag(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  // The object or list, or a null value.
  const json::Value& Object(std::string_view name);
  const json::Value& List(std::string_view name);

  // Fields that are known and have no meaning to us.
  void Ignore(std::initializer_list<std::string_view> names);
  // A field that client-go obeys and we cannot: an issue unless it is empty.
  void Refuse(std::string_view name, const std::string& reason);

  // Warns of the fields that no call above named. file: for the place.
  void WarnOfOthers(const std::string& file);

  std::string PathOf(std::string_view name) const { return config::Child(path_, name); }

 private:
  const json::Value* Find(std::string_view name);
  const json::Value& OfKind(std::string_view name, json::Kind kind, const char* expected);

  const json::Value& object_;
  std::string path_;
  config::Issues& issues_;
  std::vector<std::string_view> known_;
};

// "expected a string, got number"
std::string WrongKind(const char* expected, const json::Value& value);

}  // namespace berth::kubeconfig
