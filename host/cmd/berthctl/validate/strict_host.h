// The strictest form of a host: a copy of its berth_host, and of each of its tables, at the end of a read-only page,
// before a page that cannot be accessed. As a later host, the copies have more functions at the end, which are unknown
// to the plugin. The copies call the functions of the host itself. Thread: any. Ownership: refers to the berth_host,
// which outlives it; owns the copies.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/thread_annotations.h"
#include "berth/host.h"
#include "cmd/berthctl/validate/guarded.h"
#include "plugin/instance/ports.h"

namespace berth::validate {

struct HostShape {
  uint32_t later_members = 0;  // functions after the last known one; a call of one ends the process
  uint32_t minor = BERTH_ABI_MINOR;
  std::string without = {};  // the id of a service that the host lacks
};

class StrictHost {
 public:
  StrictHost(const berth_host& host, HostShape shape);
  ~StrictHost();
  StrictHost(const StrictHost&) = delete;

  // For the plugin.
  const berth_host* shown() const { return shown_.as<berth_host>(); }

 private:
  static const void* Service(const berth_host* shown, const char* id);
  const void* Find(const char* id);
  Guarded Shaped(const void* table) const;  // a copy of a table, whose first field is its size

  const berth_host& host_;
  const HostShape shape_;
  Guarded shown_;
  base::Mutex mutex_;
  std::map<std::string, Guarded> tables_ GUARDED_BY(mutex_);
};

// Gives each instance of a plugin in Berth's own host its own StrictHost.
class StrictHosts final : public plugin::HostDecorator {
 public:
  StrictHosts(std::string plugin, HostShape shape) : plugin_(std::move(plugin)), shape_(std::move(shape)) {}
  std::shared_ptr<const berth_host> Decorate(const plugin::Instance& instance, const berth_host& host) override;

 private:
  const std::string plugin_;
  const HostShape shape_;
};

}  // namespace berth::validate
