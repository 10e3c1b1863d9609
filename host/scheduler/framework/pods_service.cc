#include "scheduler/framework/pods_service.h"

#include "berth/draft/pods.h"
#include "plugin/instance/instance.h"

namespace berth::framework {
namespace {

berth_list Labeled(const berth_host* host, berth_id ns, berth_id key, berth_id value) {
  plugin::PodsPort* port = plugin::ContextOf(host).services->ports.pods;
  return port == nullptr ? berth_list{nullptr, 0, sizeof(const berth_pod*)} : port->Labeled(ns, key, value);
}

}  // namespace

void AddPodsService(plugin::Services& services) {
  static const berth_pods table{sizeof table, 0, Labeled};
  services.Add(BERTH_SERVICE_PODS, &table);
}

}  // namespace berth::framework
