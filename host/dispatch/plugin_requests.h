// Requests of plugins, over the same queue as the scheduler's own: clientConnection's rate, Retry-After, one place at
// which all end. Bindings are preferred to them; evictions of pods have a line of their own (kube/turn_order.h).
// Thread: Send from any thread; done runs on threads of the transport, or, when nothing can be sent any more, within
// Send. Ownership: the queue outlives this.
#pragma once

#include <string>

#include "kube/request_queue.h"
#include "plugin/ports.h"

namespace berth::dispatch {

// "/apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME/SUBRESOURCE", of what there is; every part is percent-encoded.
std::string ApiPath(const plugin::ApiRequest& request);

class PluginRequests {
 public:
  explicit PluginRequests(kube::RequestQueue& queue) : queue_(queue) {}
  void Send(plugin::ApiRequest request, plugin::ApiPort::Done done);

 private:
  kube::RequestQueue& queue_;
};

}  // namespace berth::dispatch
