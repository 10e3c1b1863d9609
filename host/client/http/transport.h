// The HTTP interface of the host: a request returns a reply, or a body that arrives in pieces. It hides
// cpprestsdk and nghttp2 (rest_client.h makes one); tests use a fake. Thread: any. Ownership: requests and replies are
// values; a transport outlives its Streams and may be destroyed with sends in flight.
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
#include "telemetry/trace/span_context.h"

namespace berth::http {

struct Request {
  std::string method = "GET";
  std::string path;  // with query, percent-encoded: "/api/v1/nodes?limit=500"
  std::string body;
  std::string content_type;  // of body; empty without one
  std::string accept = "application/json";
  trace::SpanContext cause = {};  // of the request's span
  std::string traceparent = {};   // the header of that name; empty: none. The transport sets it.
  // Of a Send: asked on a thread of the transport, right before it writes the request. With HTTP/1.1 it is asked twice:
  // before the connection opens, and before the body is written. Not nullptr: the reason for which the request is not
  // sent. Must not block; not called after Close has returned. Unset: nothing prevents the request.
  std::function<const char*()> objection = {};
};

// What precedes the body of a reply.
struct ReplyHead {
  int status = 0;
  std::optional<int64_t> retry_after_seconds = {};  // header Retry-After, when it is a number
  std::string content_type = {};                    // header Content-Type, as it came; "": none
};

// The result of a request. status 0: no reply arrived, and error contains the reason, in Go's words where Go has some:
// Get "https://127.0.0.1:6443/api/v1/nodes": dial tcp 127.0.0.1:6443: connect: connection refused
struct Reply {
  int status = 0;
  std::string body;
  std::string error;
  // Only with status 0: the server may have received the request (the connection broke after the first byte was
  // written). false: the server did not receive it, and any request may be sent again.
  //
  // A reply does not prove that the server received the request only once: when a connection for HTTP/1.1 breaks that
  // was used before, cpprestsdk sends the request again, also a POST. A caller that creates objects reads them after a
  // conflict.
  bool maybe_delivered = false;
  bool too_large = false;  // only with status 0: the body is larger than ClientOptions::max_body_bytes
  std::optional<int64_t> retry_after_seconds;  // as in ReplyHead
  std::string content_type = {};               // as in ReplyHead

  bool ok() const { return status >= 200 && status < 300; }
};

// Receives a body in pieces, on a thread of the transport, one call at a time. Must return soon: during the call
// nothing is read, the server may time out, and the idle time runs. Must not throw. Not called after Stream has
// returned.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Called once, before any bytes. The body of a status that is not 2xx is not streamed; it is in Stream's reply.
  virtual void OnHead(const ReplyHead&) {}
  // false ends the stream. bytes are valid during the call.
  virtual bool OnBytes(std::string_view bytes) = 0;
};

class Transport {
 public:
  // Requests in flight are abandoned: their done is called on this thread, and none runs after the return. A done or a
  // sink must not call it.
  virtual ~Transport() = default;

  // done is called exactly once, on a thread of the transport or, when the transport is closed, on the closing
  // caller's. It must not block and must not throw; it may Send.
  virtual void Send(Request request, std::function<void(Reply)> done) = 0;
  // Blocks until the body has ended, the sink or stop ended it, the connection broke, or nothing arrived within the
  // idle time. A stream that ended normally, or by the sink or stop, has its 2xx status and no error; one that broke or
  // was idle has its 2xx status and an error. Status 0 and an error: it ended before a status arrived. Do not call it
  // on a thread of the transport.
  virtual Reply Stream(const Request& request, BodySink& sink, const std::stop_token& stop) = 0;
  // The same without blocking: done is called once, with the reply, on any thread; the sink is not called after it has
  // begun. This implementation uses a thread for each stream.
  virtual void OpenStream(Request request, BodySink& sink, std::stop_token stop, std::function<void(Reply)> done);

  // Answers all open and all later Sends with status 0. May be called again; streams continue.
  virtual void Close() = 0;

  // Blocks the caller. Do not call it on a thread of the transport.
  Reply SendAndWait(Request request);
};

}  // namespace berth::http
