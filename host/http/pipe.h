// One kind of traffic to one server, over cpprestsdk: its connections and its patience. All of cpprestsdk's client is
// behind this; Connections has two of them. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "http/failure.h"
#include "http/peer.h"
#include "http/transport.h"

namespace berth::http {

// Hears of one request: Headers, then Bytes, then End; or End alone. One call at a time, on threads of the pool, never
// under a lock of the pipe; none may throw. The pipe keeps it until End has returned.
class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual void Headers(int status, std::optional<int64_t> retry_after_seconds) noexcept = 0;
  // bytes live until the return. Nothing is read from the connection before it. false: no more, please.
  virtual bool Bytes(std::string_view bytes) noexcept = 0;
  // failure: the reply is missing or broken off, by whoever.
  virtual void End(std::optional<Failure> failure) noexcept = 0;
};

class Pipe {
 public:
  using Cancel = std::function<void()>;

  // timeout: without a byte either way. May throw what cpprestsdk thinks of the URL.
  Pipe(std::shared_ptr<Peer> peer, std::chrono::milliseconds timeout);
  ~Pipe();
  Pipe(const Pipe&) = delete;

  // Returns at once; all the work, callbacks of the options included, is the pool's. Cancel may be called at any time
  // and from any thread, End included; End follows within milliseconds, except while a name is looked up or a proxy
  // connects, which cpprestsdk cannot interrupt. What has been started may outlive the pipe.
  Cancel Start(Request request, std::shared_ptr<Receiver> receiver);

 private:
  struct Client;
  std::shared_ptr<Client> client_;
};

}  // namespace berth::http
