// The policies of the cluster's PriorityClasses, parsed when a class changes. Thread: serial. Owns the ids of the
// names; the host outlives it.
#pragma once

#include <berth/plugin.hpp>
#include <berth/trial.hpp>

#include <string>
#include <string_view>
#include <unordered_map>

#include "policy.h"

namespace plugins::preemption_toleration {

class Classes {
 public:
  explicit Classes(berth::sdk::Host& host) : host_(host) {}

  void Set(std::string_view name, const Policy& policy) {
    const berth::sdk::Id id = host_.Intern(name);
    if (!policies_.insert_or_assign(id, policy).second) host_.Drop(id);  // the first one owns the id
  }
  void Forget(std::string_view name) {
    const berth::sdk::Id id = host_.Intern(name);
    if (policies_.erase(id) > 0) host_.Drop(id);
    host_.Drop(id);
  }
  // Throws TrialError if there is no such class.
  const Policy& Of(berth::sdk::Id name) const {
    const auto at = policies_.find(name);
    if (at != policies_.end()) return at->second;
    throw berth::sdk::TrialError("priorityclass.scheduling.k8s.io " +
                                 berth::sdk::Quoted(std::string(host_.Text(name))) + " not found");
  }

 private:
  berth::sdk::Host& host_;
  std::unordered_map<berth::sdk::Id, Policy> policies_;
};

}  // namespace plugins::preemption_toleration
