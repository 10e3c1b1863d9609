// The service table of berth/nominate.h. Calls plugin::NominationPort.
#include "berth/nominate.h"

#include "plugin/instance/instance.h"
#include "scheduler/framework/preemption_services.h"

namespace berth::framework {
namespace {

plugin::Instance& InstanceOf(const berth_host* host) {
  return *static_cast<plugin::HostContext*>(host->impl)->instance;
}
plugin::NominationPort* NominationsOf(const berth_host* host) { return InstanceOf(host).services().ports.nominations; }

berth_list OfNode(const berth_host* host, berth_id node) {
  plugin::NominationPort* port = NominationsOf(host);
  return port == nullptr ? berth_list{nullptr, 0, sizeof(const berth_pod*)} : port->NominatedTo(node);
}

berth_list Nodes(const berth_host* host) {
  plugin::NominationPort* port = NominationsOf(host);
  return port == nullptr ? berth_list{nullptr, 0, sizeof(berth_id)} : port->NominatedNodes();
}

void Clear(const berth_host* host, const berth_pod* pod) {
  if (plugin::NominationPort* port = NominationsOf(host)) port->ClearNomination(*pod);
}

int32_t GiveUp(const berth_host* host, berth_str uid, berth_str reason) {
  plugin::NominationPort* port = NominationsOf(host);
  if (port == nullptr) return 0;
  return port->GiveUp({uid.ptr, uid.len}, InstanceOf(host), {reason.ptr, reason.len}) ? 1 : 0;
}

}  // namespace

void AddNominateService(plugin::Services& services) {
  static const berth_nominations table{sizeof table, 0, OfNode, Clear, GiveUp, Nodes};
  services.Add(BERTH_SERVICE_NOMINATE, &table);
}

}  // namespace berth::framework
