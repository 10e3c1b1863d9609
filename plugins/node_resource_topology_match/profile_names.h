// The profiles whose pods the plugin knows from Reserve: those of all instances in this process that look for foreign
// pods. A pod of another scheduler, or of another profile, is foreign. Source:
// pkg/noderesourcetopology/cache/foreign_pods.go of kubernetes-sigs/scheduler-plugins.
// Thread: any. Ownership: a name is known as long as an object of it lives.
#pragma once

#include <berth/mutex.hpp>

#include <map>
#include <string>
#include <string_view>

namespace plugins::node_topology {

class KnownProfile {
 public:
  explicit KnownProfile(std::string_view name) : name_(name) {
    const berth::sdk::MutexLock lock(all_.mutex);
    ++all_.users[name_];
  }
  KnownProfile(const KnownProfile&) = delete;
  ~KnownProfile() {
    const berth::sdk::MutexLock lock(all_.mutex);
    if (--all_.users[name_] == 0) all_.users.erase(name_);
  }

  static bool Has(const std::string& name) {
    const berth::sdk::MutexLock lock(all_.mutex);
    return all_.users.contains(name);
  }

 private:
  struct All {
    berth::sdk::Mutex mutex;
    std::map<std::string, int> users BERTH_GUARDED_BY(mutex);
  };
  static inline All all_;

  const std::string name_;
};

}  // namespace plugins::node_topology
