#include "api/manifest.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <utility>

#include "api/pod.h"
#include "codec/json/value.h"

namespace berth::api {
namespace {

using json::Value;

Value Named(const InternTables& intern, const Pod& pod) {
  Value object = Value::MakeObject();
  Value& metadata = object["metadata"];
  metadata.Set("name", pod.name());
  metadata.Set("namespace", intern.ids.Text(pod.abi.ns));
  metadata.Set("uid", pod.uid());
  return object;
}

void SetOrErase(Value& object, std::string_view key, std::string_view text) {
  if (text.empty()) {
    object.Erase(key);
  } else {
    object.Set(key, text);
  }
}

void SetScheduledCondition(Value& status, const PodScheduledCondition& condition) {
  Value wanted = Value::MakeObject();
  wanted.Set("type", "PodScheduled");
  wanted.Set("status", condition.status);
  SetOrErase(wanted, "reason", condition.reason);
  SetOrErase(wanted, "message", condition.message);
  for (Value& old : status["conditions"].mutable_array()) {
    const Value* type = old.Find("type");
    if (type == nullptr || type->string() != "PodScheduled") continue;
    old = std::move(wanted);
    return;
  }
  status["conditions"].Append(std::move(wanted));
}

}  // namespace

Manifest ManifestOf(std::string_view json) {
  thread_local simdjson::ondemand::parser parser;
  const simdjson::padded_string text(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object object, metadata;
  simdjson::ondemand::array managed;
  std::string_view part;
  const bool found = parser.iterate(text).get(document) == simdjson::SUCCESS &&
                     document.get_object().get(object) == simdjson::SUCCESS &&
                     object.find_field_unordered("metadata").get_object().get(metadata) == simdjson::SUCCESS &&
                     metadata.find_field_unordered("managedFields").get_array().get(managed) == simdjson::SUCCESS &&
                     managed.raw_json().get(part) == simdjson::SUCCESS;
  if (!found) return KeptManifest(std::string(json));
  const size_t begin = static_cast<size_t>(part.data() - text.data());
  std::string without;
  without.reserve(json.size() - part.size() + 2);
  without.append(json.substr(0, begin)).append("[]").append(json.substr(begin + part.size()));
  return KeptManifest(std::move(without));
}

std::string CurrentManifest(const InternTables& intern, const Pod& pod) {
  if (!pod.manifest) return json::Dump(Named(intern, pod));
  if (!pod.manifest_is_old()) return pod.manifest->text;
  auto parsed = json::Parse(pod.manifest->text);
  if (!parsed) return json::Dump(Named(intern, pod));  // cannot happen: it was decoded before
  SetOrErase((*parsed)["spec"], "nodeName", intern.ids.Text(pod.abi.node_name));
  Value& status = (*parsed)["status"];
  SetOrErase(status, "nominatedNodeName", intern.ids.Text(pod.abi.nominated_node));
  if (!pod.scheduled_condition().status.empty()) SetScheduledCondition(status, pod.scheduled_condition());
  return json::Dump(*parsed);
}

}  // namespace berth::api
