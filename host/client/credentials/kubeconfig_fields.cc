#include "client/credentials/kubeconfig_fields.h"

#include "client/credentials/redact.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

using json::Value;

bool IsEmpty(const Value& value) {
  return value == Value("") || value == Value(false) || (value.is_array() && value.array().empty()) ||
         (value.is_object() && value.object().empty());
}

const Value& OrNull(const Value* value) {
  static const Value kNull;
  return value ? *value : kNull;
}

}  // namespace

std::string KubeconfigFields::TextAt(std::string_view name) {
  std::string text;
  String(name, text);
  return text;
}

std::string KubeconfigFields::BytesAt(std::string_view name) {
  std::string bytes;
  Base64(name, bytes);
  return bytes;
}

bool KubeconfigFields::BoolAt(std::string_view name) {
  bool value = false;
  Bool(name, value);
  return value;
}

const Value& KubeconfigFields::ObjectAt(std::string_view name) { return OrNull(Object(name)); }

const Value& KubeconfigFields::ListAt(std::string_view name) { return OrNull(List(name)); }

void KubeconfigFields::Reject(std::string_view name, const std::string& reason) {
  const Value* value = Any(name);
  if (value && !IsEmpty(*value)) issues().AddAt(value->key_mark(), PathOf(name), reason);
}

void KubeconfigFields::WarnOfUnknown(const std::string& file) const {
  for (const json::Member* member : Unknown()) {
    const json::Mark mark = member->second.key_mark();
    const std::string place = file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
    log::Warning("Ignoring an unknown field of the kubeconfig",
                 {{"place", place}, {"field", PathOf(ShownName(member->first))}});
  }
}

}  // namespace berth::credentials
