// The service tables behind berth_host, by id: one set for all instances of a host. host/scheduler/framework adds the
// tables that read the cluster.
// Thread: Add before the first instance; then any thread reads. Ownership: tables are static or outlive every instance.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/intern_tables.h"
#include "plugin/instance/ports.h"

namespace berth::series {
struct Limits;
}

namespace berth::plugin {

class Services {
 public:
  // Registers every table of host/plugin/instance. intern outlives the services.
  explicit Services(api::InternTables& intern_tables, const Ports& given_ports = {});
  ~Services();
  Services(const Services&) = delete;

  void Add(std::string_view id, const void* table) { tables_[std::string(id)] = table; }
  const void* Find(std::string_view id) const {
    auto it = tables_.find(std::string(id));
    return it == tables_.end() ? nullptr : it->second;
  }
  std::vector<std::string> Ids() const;  // sorted

  // The families of the plugins of this host.
  series::PluginFamilies& metrics() { return ports.metrics == nullptr ? *unserved_ : *ports.metrics; }

  api::InternTables& intern;
  const Ports ports;

 private:
  std::unordered_map<std::string, const void*> tables_;
  const std::unique_ptr<series::PluginFamilies> unserved_;  // of a host without a page
};

const berth_values* ValueService();
const berth_config* ConfigService();
const berth_log* LogService();
const berth_cycles* CycleService();
const berth_requests* RequestService();
const void* RandomService();
const void* BinderService();
const void* WaitingService();
const void* TaskService();
const void* ApiService();
const void* HttpService();
const void* JsonService();
const void* MetricService();

// BERTH_METRIC_MOST_*
const series::Limits& MetricLimits();

}  // namespace berth::plugin
