// HTTP as the rest of the host sees it: a request in, a reply out, or a body that comes piece by piece. cpprestsdk
// stays behind it (rest_client.h makes one); tests put a fake in its place. Thread: any. Ownership: requests and
// replies are values; a transport outlives the Streams asked of it and may be destroyed with Sends in flight.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace berth::http {

struct Request {
  std::string method = "GET";
  std::string path;  // with query, percent-encoded: "/api/v1/nodes?limit=500"
  std::string body;
  std::string content_type;  // of body; empty without one
  std::string accept = "application/json";
};

// What came back. status 0: no reply came, and error says why, in Go's words where Go has some:
//   Get "https://127.0.0.1:6443/api/v1/nodes": dial tcp 127.0.0.1:6443: connect: connection refused
struct Reply {
  int status = 0;
  std::string body;
  std::string error;
  // Only with status 0: the request may have reached the server all the same (it broke after the first byte was
  // written). false: it certainly did not, and may be sent again whatever it was.
  //
  // A reply of whatever status does not say that the server got the request once: where a connection that had been used
  // before breaks, cpprestsdk sends the request again, POST included. Whoever creates things reads them on a conflict.
  bool maybe_delivered = false;
  std::optional<int64_t> retry_after_seconds;  // header Retry-After, when it is a number

  bool ok() const { return status >= 200 && status < 300; }
};

// Takes a body as it arrives, on a thread of the transport, one call at a time. Must return soon: while it works
// nothing is read, the server's patience is finite, and the idle time runs. Must not throw. Not called once Stream has
// returned.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Once, before any bytes. Of a status that is not 2xx the body is not streamed: it comes whole in Stream's reply.
  virtual void OnStatus(int) {}
  // false ends the stream. bytes live until the return.
  virtual bool OnBytes(std::string_view bytes) = 0;
};

class Transport {
 public:
  // Requests in flight are abandoned: their done is called on this thread, and none runs after the return. Not to be
  // called from a done or a sink.
  virtual ~Transport() = default;

  // done is called exactly once, on a thread of the transport or, when the transport is closed, on the closing
  // caller's. It must not block and must not throw; it may Send.
  virtual void Send(Request request, std::function<void(Reply)> done) = 0;
  // Blocks until the body has ended, the sink or stop ended it, it broke, or nothing came for the transport's idle
  // time. A stream that ran and ended in order, or was ended by sink or stop, has its 2xx status and no error; one that
  // broke or idled has its 2xx status and an error. Status 0 and an error: it was over before a status came. Not to be
  // called on a thread of the transport.
  virtual Reply Stream(const Request& request, BodySink& sink, const std::stop_token& stop) = 0;

  // Answers every Send that has no reply yet, with status 0, and all that follow. Once or more often; streams go on.
  virtual void Close() = 0;

  // Blocks the caller, which must not be a thread of the transport.
  Reply SendAndWait(Request request);
};

}  // namespace berth::http
