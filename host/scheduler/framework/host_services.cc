#include "scheduler/framework/host_services.h"

#include "scheduler/framework/cluster_services.h"
#include "scheduler/framework/object_services.h"
#include "scheduler/framework/pods_service.h"
#include "scheduler/framework/preemption_services.h"

namespace berth::framework {

void AddHostServices(plugin::Services& services) {
  AddClusterServices(services);
  AddObjectServices(services);
  AddPodsService(services);
  AddTrialService(services);
  AddNominateService(services);
  AddExtenderService(services);
}

}  // namespace berth::framework
