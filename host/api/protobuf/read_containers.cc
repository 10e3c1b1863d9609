#include "api/protobuf/fields.h"
#include "api/protobuf/read_parts.h"
#include "api/protobuf/read_pod.h"

namespace berth::protobuf {
namespace {

api::Range ReadPorts(Message& outer, api::PodDraft& draft) {
  const auto begin = PoolSize(draft.ports);
  outer.Each([&] {
    Message message(outer, "ports", draft.ports.size() - begin);
    api::PortDraft& port = draft.ports.emplace_back();
    while (message.Next()) {
      switch (message.field()) {
        case fields::ContainerPort::kHostPort: port.port = message.Int32(); break;
        case fields::ContainerPort::kHostIP: port.ip = message.Text(); break;
        case fields::ContainerPort::kProtocol: port.protocol = message.Text(); break;
      }
    }
  });
  return {begin, PoolSize(draft.ports)};
}

void ReadResources(Message& outer, api::PodDraft& draft, api::ContainerDraft& container) {
  Message message(outer, "resources");
  while (message.Next()) {
    switch (message.field()) {
      case fields::ResourceRequirements::kRequests:
        container.requests = ReadQuantities(message, "requests", draft.quantities);
        break;
      case fields::ResourceRequirements::kLimits:
        container.limits = ReadQuantities(message, "limits", draft.quantities);
        break;
    }
  }
}

bool RestartsAll(Message& outer) {
  Message rule(outer, "restartPolicyRules");
  std::string_view action;
  while (rule.Next()) {
    if (rule.field() == fields::ContainerRestartRule::kAction) action = rule.Text();
  }
  return action == "RestartAllContainers";
}

}  // namespace

void ReadContainer(Message& outer, const char* name, api::PodDraft& draft, std::vector<api::ContainerDraft>& out) {
  Message message(outer, name, out.size());
  api::ContainerDraft& container = out.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::Container::kName: container.name = message.Text(); break;
      case fields::Container::kImage: container.image = message.Text(); break;
      case fields::Container::kPorts: container.ports = ReadPorts(message, draft); break;
      case fields::Container::kResources: ReadResources(message, draft, container); break;
      case fields::Container::kRestartPolicy: container.always = message.Text() == "Always"; break;
      case fields::Container::kRestartPolicyRules:
        container.restarts_all = RestartsAll(message) || container.restarts_all;
        break;
    }
  }
}

}  // namespace berth::protobuf
