#include "api/decode_parts.h"
#include "api/decode_pod.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

bool DecodePorts(JsonReader& reader, Value value, PodDraft& draft, Range& range) {
  range.begin = static_cast<uint32_t>(draft.ports.size());
  const bool ok = reader.Objects(
      value, [&] { draft.ports.emplace_back(); },
      [&](std::string_view key, Value field) {
        PortDraft& port = draft.ports.back();
        if (key == "hostPort") return reader.Int32(field, port.port);
        if (key == "hostIP") return reader.Text(field, port.ip);
        if (key == "protocol") return reader.Text(field, port.protocol);
        return true;
      });
  range.end = static_cast<uint32_t>(draft.ports.size());
  return ok;
}

bool DecodeRestartRules(JsonReader& reader, Value value, bool& restarts_all) {
  restarts_all = false;
  return reader.Objects(
      value, [] {},
      [&](std::string_view key, Value field) {
        if (key != "action") return true;
        std::string_view action;
        const bool ok = reader.Text(field, action);
        restarts_all = restarts_all || action == "RestartAllContainers";
        return ok;
      });
}

}  // namespace

bool DecodeContainers(JsonReader& reader, Value value, PodDraft& draft, std::vector<ContainerDraft>& out) {
  out.clear();
  return reader.Objects(
      value, [&] { out.emplace_back(); },
      [&](std::string_view key, Value field) {
        ContainerDraft& container = out.back();
        if (key == "name") return reader.Text(field, container.name);
        if (key == "image") return reader.Text(field, container.image);
        if (key == "ports") return DecodePorts(reader, field, draft, container.ports);
        if (key == "resources") {
          return reader.Object(field, [&](std::string_view which, Value list) {
            if (which == "requests") return DecodeQuantities(reader, list, draft.quantities, container.requests);
            if (which == "limits") return DecodeQuantities(reader, list, draft.quantities, container.limits);
            return true;
          });
        }
        if (key == "restartPolicy") {
          std::string_view policy;
          const bool ok = reader.Text(field, policy);
          container.always = policy == "Always";
          return ok;
        }
        return key != "restartPolicyRules" || DecodeRestartRules(reader, field, container.restarts_all);
      });
}

}  // namespace berth::api
