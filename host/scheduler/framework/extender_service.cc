// The service table of berth/extenders.h. Calls plugin::ExtenderPort.
#include "berth/extenders.h"

#include <exception>
#include <string>

#include "plugin/instance/instance.h"
#include "scheduler/framework/preemption_services.h"

namespace berth::framework {
namespace {

plugin::ExtenderPort* ExtendersOf(const berth_host* host) {
  return plugin::ContextOf(host).instance->services().ports.extenders;
}

int32_t Preempts(const berth_host* host, const berth_pod* pod) {
  const plugin::ExtenderPort* port = ExtendersOf(host);
  return port != nullptr && port->Preempts(*pod) ? 1 : 0;
}

berth_status Preempt(const berth_host* host, const berth_pod* pod, berth_list candidates, berth_list* left,
                     berth_str* why) {
  thread_local std::string error;  // lives until the next call
  *why = {nullptr, 0};
  plugin::ExtenderPort* port = ExtendersOf(host);
  if (port == nullptr) {
    *left = candidates;
    return BERTH_SUCCESS;
  }
  const plugin::HostTime waiting;  // at most httpTimeout for each extender
  try {
    const auto answer = port->Preempt(*pod, candidates);
    if (answer) {
      *left = *answer;
      return BERTH_SUCCESS;
    }
    error = answer.error().message;
  } catch (const std::exception& e) {
    error = e.what();
  }
  plugin::BlameHost();
  *left = {nullptr, 0, sizeof(berth_candidate)};
  *why = {error.data(), error.size()};
  return BERTH_ERROR;
}

}  // namespace

void AddExtenderService(plugin::Services& services) {
  static const berth_extenders table{sizeof table, 0, Preempts, Preempt};
  services.Add(BERTH_SERVICE_EXTENDERS, &table);
}

}  // namespace berth::framework
