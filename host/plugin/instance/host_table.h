// The berth_host that a plugin gets, and what its functions find behind berth_host.impl.
// Thread: see berth/host.h. Ownership: the context belongs to the instance, or to the caller that checks args.
#pragma once

#include <memory>
#include <vector>

#include "api/pod.h"
#include "api/selectors.h"
#include "berth/berth.h"

namespace berth::plugin {

class Instance;
class Services;

// What berth_host.impl points at.
struct HostContext {
  Services* services;
  Instance* instance;  // null while the host checks args
  // Selectors that a plugin compiles while the host checks args.
  std::vector<std::unique_ptr<api::LabelSelector>> args_selectors = {};
  std::vector<api::Ref<const api::NodeAffinityBlock>> args_affinities = {};
};

// The context of the host table that a plugin was given.
inline HostContext& ContextOf(const berth_host* host) { return *static_cast<HostContext*>(host->impl); }

// The functions of the host, bound to a context that outlives the table.
berth_host MakeHost(HostContext* context);

}  // namespace berth::plugin
