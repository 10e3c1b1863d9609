// The client's side of one HTTP/2 connection: requests become bytes to write, and bytes that were read become replies.
// It does no input or output. It obeys the flow control and the limits of the server. Sources: RFC 9113; nghttp2.
// Thread: one at a time. Ownership: an exchange that is open must outlive the session, or be dropped with Reset.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace berth::http2 {

using StreamId = int32_t;

struct Header {
  std::string name, value;  // the name in lower case; ":method" and the like first
};

// What the session reads of a reply's header. Other fields are skipped.
struct ReplyHeader {
  int status = 0;
  std::string retry_after, content_type;  // empty: none
};

enum class Ending : uint8_t {
  kComplete,  // the reply is complete
  kRefused,   // the server has not processed the request, and it may be sent again
  kReset,     // the server, or Reset, ended the stream early
};

// Receives what happens to one request. Must not throw, and must not call the session.
class Exchange {
 public:
  virtual ~Exchange() = default;
  // The header has been passed to the caller of Output.
  virtual void OnSent() = 0;
  virtual void OnHeader(ReplyHeader header) = 0;
  // false: the rest is not wanted, and the stream ends with kReset.
  virtual bool OnData(std::string_view bytes) = 0;
  // The last call. error: the text of Go's net/http for an ending that is not kComplete.
  virtual void OnEnd(Ending ending, const std::string& error) = 0;
};

class ClientSession {
 public:
  // first: the id of the first stream, odd. Each later stream has a higher one, up to 2^31 - 1.
  explicit ClientSession(StreamId first = 1);
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;

  // Sends a request. body must live until OnEnd. Call it only while Room() > 0. 0: the session is over.
  StreamId Start(const std::vector<Header>& header, std::string_view body, Exchange& exchange);
  // Ends a stream that is open: there is no call of its exchange after it.
  void Reset(StreamId stream);
  void Ping();

  // Takes bytes that were read. false: the connection cannot go on, error() says why.
  bool Input(std::string_view bytes);
  // Appends bytes to write, at most `most` and one frame. Returns false when there are none.
  bool Output(std::string& out, size_t most);

  // How many more requests the server allows now; 0 after it has announced the end of the connection.
  size_t Room() const;
  size_t open() const;
  // The server has announced the end (GOAWAY), or the ids of streams are used up: open streams may end normally, and no
  // new one can start.
  bool ends() const;
  // The connection has served its purpose, or the server broke the protocol and was told so: it can be closed.
  bool over() const;
  // The last fault of the server; "": none.
  const std::string& error() const;

  struct State;  // of client_session.cc

 private:
  std::unique_ptr<State> state_;
};

}  // namespace berth::http2
