// A server for tests that a function of the test controls byte by byte. Each connection has a thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace berth::http {

struct SeenRequest {
  std::string head;  // request line and headers, with the line breaks
  std::string body;
  std::string line() const { return head.substr(0, head.find("\r\n")); }
  std::string header(const std::string& name) const;  // "" if the header is absent; name as the client sends it
};

class ServerConnection {
 public:
  explicit ServerConnection(int fd) : fd_(fd) {}
  // false: the client has closed the connection.
  bool Read(SeenRequest& request);
  bool Write(std::string_view bytes);
  bool WriteChunk(std::string_view bytes);
  bool WriteReply(int status, std::string_view body, std::string_view more_headers = {});
  void WaitForClose();  // reads until the client has closed
  void Reset();         // the client sees "connection reset"
  int fd() const { return fd_; }

 private:
  int fd_;
  std::string buffer_;
};

class RawServer {
 public:
  using Handler = std::function<void(ServerConnection&)>;  // the server closes the connection after it
  explicit RawServer(Handler handler, const char* host = "127.0.0.1");
  ~RawServer() { Stop(); }
  // Cuts all connections and stops listening; later connections are refused.
  void Stop();
  void StopListening();

  uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }

 private:
  struct Open {
    int fd;
    std::jthread thread;
  };
  void Accept();

  Handler handler_;
  std::mutex stopping_;
  uint16_t port_ = 0;
  int listener_ = -1;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::list<Open> open_;  // guarded by mutex_
  std::jthread acceptor_;
};

// Answers every request of a connection with what reply returns.
RawServer::Handler Answering(std::function<void(ServerConnection&, const SeenRequest&)> reply);

// Tells the client that it is connected, and copies bytes between it and that port of 127.0.0.1 until one side closes.
void Tunnel(ServerConnection& client, uint16_t port);

uint16_t ClosedPort();  // a port without a listener

}  // namespace berth::http
