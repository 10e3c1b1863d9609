// Reads one object of a kubeconfig as client-go does: types must be right, null counts as absent, unknown fields cause
// a warning. No issue shows a value, because most values are secret. Thread: one reader, one thread.
#pragma once

#include <string>
#include <string_view>

#include "codec/fields/field_reader.h"

namespace berth::credentials {

class KubeconfigFields : public fields::FieldReader {
 public:
  KubeconfigFields(const json::Value& object, std::string path, fields::Issues& issues)
      : FieldReader(object, std::move(path), issues, fields::Quoting::kTypes) {}

  // The value of the field; empty, false or null when the field is absent or wrong. A wrong field is an issue.
  std::string TextAt(std::string_view name);
  std::string BytesAt(std::string_view name);  // decoded from base64
  bool BoolAt(std::string_view name);
  const json::Value& ObjectAt(std::string_view name);
  const json::Value& ListAt(std::string_view name);

  // A field that client-go supports and Berth does not: an issue unless the field is empty.
  void Reject(std::string_view name, const std::string& reason);
  // Logs a warning for each unknown field of the file.
  void WarnOfUnknown(const std::string& file) const;
};

// "expected a string, got number"
inline std::string WrongKind(const char* expected, const json::Value& value) {
  return fields::WrongType(value, expected, fields::Quoting::kTypes);
}

}  // namespace berth::credentials
