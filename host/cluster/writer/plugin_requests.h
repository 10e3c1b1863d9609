// Sends plugins' requests in the same queue as the scheduler's own, with clientConnection's rate, Retry-After, and a
// common end. Bindings go first; evictions of pods have their own line (client/requests/turn_order.h). Thread: Send
// from any thread. `done` runs on threads of the transport, or within Send if nothing can be sent any more. Ownership:
// the queue must outlive this.
#pragma once

#include <string>

#include "client/requests/request_queue.h"
#include "plugin/instance/ports.h"

namespace berth::writer {

// "/apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME/SUBRESOURCE" without absent parts. Every part is percent-encoded.
std::string ApiPath(const plugin::ApiRequest& request);

class PluginRequests {
 public:
  explicit PluginRequests(requests::RequestQueue& queue) : queue_(queue) {}
  void Send(plugin::ApiRequest request, plugin::ApiPort::Done done);

 private:
  requests::RequestQueue& queue_;
};

}  // namespace berth::writer
