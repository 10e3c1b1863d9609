#include "raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace berth::http {
namespace {

void Check(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::abort();
}

int Listen(const char* host, uint16_t& port) {
  sockaddr_storage address{};
  socklen_t size = sizeof(sockaddr_in);
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address);
  if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
    address.ss_family = AF_INET;
  } else {
    Check(inet_pton(AF_INET6, host, &v6->sin6_addr) == 1, "inet_pton");
    address.ss_family = AF_INET6;
    size = sizeof(sockaddr_in6);
  }
  const int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Check(bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind");
  Check(listen(fd, 512) == 0, "listen");
  Check(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
  port = ntohs(address.ss_family == AF_INET ? v4->sin_port : v6->sin6_port);
  return fd;
}

}  // namespace

std::string SeenRequest::header(const std::string& name) const {
  const size_t at = head.find("\r\n" + name + ":");
  if (at == std::string::npos) return "";
  const size_t begin = head.find_first_not_of(' ', at + name.size() + 3);
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

bool ServerConnection::Read(SeenRequest& request) {
  char bytes[65536];
  size_t end, wanted = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos || buffer_.size() < end + 4 + wanted) {
    const ssize_t got = recv(fd_, bytes, sizeof(bytes), 0);
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<size_t>(got));
    end = buffer_.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    request.head = buffer_.substr(0, end + 2);
    wanted = static_cast<size_t>(std::atoll(request.header("Content-Length").c_str()));
  }
  request.head = buffer_.substr(0, end + 2);
  wanted = static_cast<size_t>(std::atoll(request.header("Content-Length").c_str()));
  request.body = buffer_.substr(end + 4, wanted);
  buffer_.erase(0, end + 4 + wanted);
  return true;
}

bool ServerConnection::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool ServerConnection::WriteChunk(std::string_view bytes) {
  char head[32];
  std::snprintf(head, sizeof(head), "%zx\r\n", bytes.size());
  return Write(head + std::string(bytes) + "\r\n");
}

bool ServerConnection::WriteReply(int status, std::string_view body, std::string_view more_headers) {
  return Write("HTTP/1.1 " + std::to_string(status) + " X\r\n" + std::string(more_headers) +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
}

void ServerConnection::WaitForClose() {
  char bytes[4096];
  while (recv(fd_, bytes, sizeof(bytes), 0) > 0) {
  }
}

void ServerConnection::Reset() {
  const linger now{1, 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

RawServer::RawServer(Handler handler, const char* host)
    : handler_(std::move(handler)), listener_(Listen(host, port_)), acceptor_([this] { Accept(); }) {}

void RawServer::Accept() {
  while (true) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    ++connections_;
    std::lock_guard lock(mutex_);
    Open& open = open_.emplace_back(fd);
    open.thread = std::jthread([this, &open, fd] {
      ServerConnection connection(fd);
      handler_(connection);
      std::lock_guard done(mutex_);
      close(fd);
      open.fd = -1;
    });
  }
}

void RawServer::StopListening() {
  std::lock_guard lock(stopping_);
  if (listener_ < 0) return;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  listener_ = -1;
}

void RawServer::Stop() {
  StopListening();
  {
    std::lock_guard lock(mutex_);
    for (Open& open : open_) {
      if (open.fd >= 0) shutdown(open.fd, SHUT_RDWR);
    }
  }
  for (Open& open : open_) {
    if (open.thread.joinable()) open.thread.join();
  }
}

RawServer::Handler Answering(std::function<void(ServerConnection&, const SeenRequest&)> reply) {
  return [reply](ServerConnection& connection) {
    SeenRequest request;
    while (connection.Read(request)) reply(connection, request);
  };
}

void Tunnel(ServerConnection& client, uint16_t port) {
  sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Check(connect(server, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0, "connect");
  client.Write("HTTP/1.1 200 Connection established\r\n\r\n");
  const auto pump = [](int from, int to) {
    char bytes[16384];
    for (ssize_t got; (got = recv(from, bytes, sizeof(bytes), 0)) > 0;) {
      if (send(to, bytes, static_cast<size_t>(got), MSG_NOSIGNAL) != got) break;
    }
    shutdown(to, SHUT_RDWR);
  };
  {
    std::jthread back([&] { pump(server, client.fd()); });
    pump(client.fd(), server);
  }
  close(server);
}

uint16_t ClosedPort() {
  uint16_t port = 0;
  close(Listen("127.0.0.1", port));
  return port;
}

}  // namespace berth::http
