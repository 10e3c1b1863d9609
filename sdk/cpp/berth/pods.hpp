// The pods of the cluster by label, with and without a node. Make a PodLister in the plugin's constructor and keep it;
// a host without the service throws MissingService when it is used.
#pragma once

#include "berth/detail/services.hpp"
#include "berth/draft/pods.h"
#include "berth/host.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

class PodLister {
 public:
  explicit PodLister(const Host& host)
      : host_(host.raw()), table_(detail::CopyTable<berth_pods>(host.raw()->service(host.raw(), BERTH_SERVICE_PODS))) {
    detail::Patch<"berth.host.pods/1: labeled">(table_, &berth_pods::labeled);
  }

  // [serial] The unfinished pods of the namespace whose label `key` has this value, as the API server last reported
  // them, sorted by name. Borrowed until the running call returns. Use a fixed set of keys.
  PodList Labeled(Id ns, Id key, Id value) const { return table_.labeled(host_, ns, key, value); }

 private:
  const berth_host* host_;
  berth_pods table_;
};

}  // namespace berth::sdk
