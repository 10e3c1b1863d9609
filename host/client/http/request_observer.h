// Receives what a transport does, for metrics. Source: k8s.io/client-go/tools/metrics RequestLatency, RequestResult.
// Thread: any, also threads of the transport; must not block. Ownership: outlives the transport.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "telemetry/trace/tracer.h"

namespace berth::http {

class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  // A Send has its reply; status 0: there is none. ns: since the call of Send.
  virtual void OnReply(std::string_view method, int status, int64_t ns, size_t sent_bytes, size_t received_bytes) = 0;
  // A Stream has its status; 0: it ended without one.
  virtual void OnStream(std::string_view method, int status) = 0;
};

// What measures the requests of a transport. Both may be null, and outlive the transport.
struct Instruments {
  RequestObserver* observer = nullptr;
  trace::Tracer* tracer = nullptr;
};

}  // namespace berth::http
