#include "framework/host_services.h"

#include "framework/cluster_services.h"
#include "framework/object_services.h"
#include "framework/preemption_services.h"

namespace berth::framework {

void AddHostServices(plugin::Services& services, cache::Cache& cache, objects::ObjectStore& store) {
  AddClusterServices(services, cache);
  AddObjectServices(services, store);
  AddTrialService(services);
  AddNominateService(services);
  AddExtenderService(services);
}

}  // namespace berth::framework
