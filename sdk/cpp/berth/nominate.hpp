// Nominated pods, and canceling attempts whose pod is not bound yet. Make a Nominations in the plugin's
// constructor and keep it; a host without the service throws MissingService when it is used.
#pragma once

#include <string_view>

#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/nominate.h"
#include "berth/views.hpp"

namespace berth::sdk {

class Nominations {
 public:
  explicit Nominations(const Host& host)
      : host_(host.raw()),
        table_(detail::CopyTable<berth_nominations>(host.raw()->service(host.raw(), BERTH_SERVICE_NOMINATE))) {
    using detail::Patch;
    Patch<"berth.host.nominate/1: of_node">(table_, &berth_nominations::of_node);
    Patch<"berth.host.nominate/1: clear">(table_, &berth_nominations::clear);
    Patch<"berth.host.nominate/1: give_up">(table_, &berth_nominations::give_up);
    Patch<"berth.host.nominate/1: nodes">(table_, &berth_nominations::nodes);
  }

  // [serial] Pods nominated to the node, in order of nomination. Of a pod whose attempt is running, only namespace,
  // name and uid are known. Borrowed until the running call returns.
  PodList OfNode(Id node) const { return table_.of_node(host_, node); }
  // [serial] The nodes with nominated pods, each once, in no order; some may have left the cluster. Borrowed as OfNode.
  List<Id> Nodes() const { return table_.nodes(host_); }
  // [serial] Removes the nomination of a waiting pod: in the queue at once, in its status by a write.
  void Clear(const Pod& pod) const { table_.clear(host_, pod.raw()); }
  // [any] A pod that waits in permit or whose PreBind has not ended returns to the queue; reason is a past participle
  // ("preempted"). False: the pod is in neither of these stages.
  bool GiveUp(std::string_view uid, std::string_view reason) const {
    return table_.give_up(host_, Borrow(uid), Borrow(reason)) != 0;
  }

 private:
  const berth_host* host_;
  berth_nominations table_;
};

}  // namespace berth::sdk
