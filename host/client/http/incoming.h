// A request that a client sends to this process, and the answer to it. Thread: values.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::http {

using Headers = std::vector<std::pair<std::string, std::string>>;  // in order; a name may occur more than once

struct Incoming {
  std::string method = "GET";
  std::string path;            // percent-encoded, without the query: "/healthz/ping"
  std::string query;           // percent-encoded, without '?'
  Headers headers;             // names in lower case
  std::string body;            // at most ListenerOptions::body_limit bytes
  std::string remote_address;  // of the client: "127.0.0.1:40112"
  bool tls = false;
  // What the client presented in the TLS handshake: DER, its own certificate first. Nobody has verified it.
  std::vector<std::string> client_certificates;

  // The first header of that name (lower case); "" = none.
  std::string_view Header(std::string_view name) const;
};

// The body of an answer that is made while it is sent. The listener destroys it when the answer has ended, or the
// connection. Thread: any; the listener makes one call at a time.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // The bytes that follow, at most some 100 KiB; "": there are none yet; nullopt: the answer is complete. Does not
  // block.
  virtual std::optional<std::string> Next() = 0;
  // From now on the source calls `wake`, which does not block, on any thread when Next has returned "" and has bytes
  // again, or the answer is complete. Empty: never more; a running call has returned.
  virtual void SetWake(std::function<void()> wake) = 0;
};

struct Answer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  Headers headers = {};  // in addition to Content-Type, Content-Length, and Connection
  // Set: `body` is ignored, and the connection is closed after the answer. The source limits how many there are.
  std::shared_ptr<BodySource> source = nullptr;
};

}  // namespace berth::http
