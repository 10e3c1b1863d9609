// An HTTP/2 server over TLS for tests. What it does with a request depends on the path:
//   /x        status 200; the body says what it knows: connection, method, path, authorization, type, and body
//   /held     no reply, until Release
//   /large    status 200 and three million bytes
//   /watch    status 200 and one line; the body does not end
//   /slow     status 429 with Retry-After 7
//   /refused  the first time on each connection: RST_STREAM with REFUSED_STREAM; then as /x
//   /reset    RST_STREAM with INTERNAL_ERROR
// Thread: the functions on that of the test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace berth::http {

struct Http2ServerOptions {
  uint32_t max_streams = 100;
  int dropped = 0;         // the number of a connection that closes before the TLS handshake; 0: none
  int most_served = 1000;  // later connections stay open without an answer to the TLS handshake
};

class Http2Server {
 public:
  // files: the certificate and key, without ".crt" and ".key".
  explicit Http2Server(const std::string& files, Http2ServerOptions options = {});
  ~Http2Server();

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }
  int connections() const;    // accepted so far
  int requests() const;       // received so far, on all connections
  int most_open() const;      // the largest number of streams that one connection had
  int most_repeated() const;  // the largest number of requests with one body, without those that were refused
  void Release();             // answers held requests, and later ones at once
  // Announces the end of all connections. processed: the requests that are held count as processed.
  void GoAway(bool processed);
  void CloseConnections();

  struct State;  // of http2_server.cc

 private:
  std::unique_ptr<State> state_;
  uint16_t port_ = 0;
};

}  // namespace berth::http
