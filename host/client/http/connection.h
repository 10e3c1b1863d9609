// The connections and timeouts for one kind of requests to one server. Connections has two of them. Thread: any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "client/http/failure.h"
#include "client/http/transport.h"

namespace berth::http {

// Receives the reply to one request: Headers, then Bytes, then End; or only End. The calls are sequential, on threads
// of the transport, never under a lock of the connection, and must not throw. The connection owns it until End has
// returned.
class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual void Headers(const ReplyHead& head) noexcept = 0;
  // bytes are valid during the call; nothing more is read from the connection before it returns. false: stop.
  virtual bool Bytes(std::string_view bytes) noexcept = 0;
  // failure: the reply is missing or incomplete.
  virtual void End(std::optional<Failure> failure) noexcept = 0;
};

class Connection {
 public:
  using Cancel = std::function<void()>;

  virtual ~Connection() = default;
  // Returns at once; threads of the transport do all the work and call the callbacks of the options. Cancel may be
  // called at any time and from any thread, also in End; End follows within milliseconds, except during a DNS lookup or
  // the connection to a proxy, which cannot be interrupted. A started request may outlive this object.
  virtual Cancel Start(Request request, std::shared_ptr<Receiver> receiver) = 0;
  // Whether parallel requests are known to share connections: then more of them open no connection, up to the server's
  // limit.
  virtual bool multiplexes() const = 0;
};

}  // namespace berth::http
