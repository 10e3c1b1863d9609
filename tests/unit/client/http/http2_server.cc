#include "http2_server.h"

#include <arpa/inet.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace berth::http {
namespace {

constexpr size_t kLarge = 3'000'000;

[[noreturn]] void GiveUp(const char* up) {
  std::fprintf(stderr, "http2_server: %s\n", up);
  std::abort();
}

struct Stream {
  std::map<std::string, std::string> fields;
  std::string body, reply;
  size_t sent = 0;
  bool endless = false;
};

}  // namespace

struct Http2Server::State {
  Http2ServerOptions options;
  SSL_CTX* context = nullptr;
  int listener = -1;
  std::atomic<int> connections{0}, requests{0}, most_open{0}, go_aways{0}, closes{0};
  std::atomic<bool> released{false}, processed{true}, quit{false};
  std::mutex mutex;
  std::map<std::string, int> repeated;  // how many requests had this body
  std::vector<std::thread> threads;
  std::vector<int> silent;  // sockets
  std::thread accepting;
};

namespace {

class Http2Peer {
 public:
  Http2Peer(Http2Server::State& server, int socket, int number)
      : server_(server), socket_(socket), number_(number), go_aways_(server.go_aways), closes_(server.closes) {}

  void Run() {
    const timeval patience{.tv_sec = 0, .tv_usec = 5000};
    SSL* ssl = SSL_new(server_.context);
    SSL_set_fd(ssl, socket_);
    if (SSL_accept(ssl) == 1) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      Serve(ssl);
    }
    SSL_free(ssl);
    close(socket_);
  }

 private:
  static Http2Peer& Of(void* self) { return *static_cast<Http2Peer*>(self); }

  void Serve(SSL* ssl) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_begin_headers_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
          Of(self).streams_[frame->hd.stream_id] = {};
          int open = static_cast<int>(Of(self).streams_.size()), most = Of(self).server_.most_open;
          while (open > most && !Of(self).server_.most_open.compare_exchange_weak(most, open)) {
          }
          return 0;
        });
    nghttp2_session_callbacks_set_on_header_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                      const uint8_t* value, size_t size, uint8_t, void* self) {
          Of(self).streams_[frame->hd.stream_id].fields[std::string(name, name + name_size)].assign(value,
                                                                                                    value + size);
          return 0;
        });
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        callbacks, [](nghttp2_session*, uint8_t, int32_t id, const uint8_t* bytes, size_t size, void* self) {
          Of(self).streams_[id].body.append(bytes, bytes + size);
          return 0;
        });
    nghttp2_session_callbacks_set_on_frame_recv_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
          const bool of_request = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
          if (of_request && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) Of(self).Answer(frame->hd.stream_id);
          return 0;
        });
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks,
                                                           [](nghttp2_session*, int32_t id, uint32_t, void* self) {
                                                             Of(self).streams_.erase(id);
                                                             Of(self).held_.erase(id);
                                                             return 0;
                                                           });
    nghttp2_session_server_new(&session_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    const nghttp2_settings_entry most{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, server_.options.max_streams};
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &most, 1);
    while (!server_.quit && closes_ == server_.closes && Step(ssl)) {
    }
    nghttp2_session_del(session_);
  }

  bool Step(SSL* ssl) {
    if (server_.released) {
      for (const int32_t id : std::exchange(held_, {})) Reply(id, "200", "released");
    }
    if (go_aways_ != server_.go_aways) {
      go_aways_ = server_.go_aways;
      const int32_t last = server_.processed ? nghttp2_session_get_last_proc_stream_id(session_) : 0;
      nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, nullptr, 0);
    }
    const uint8_t* out = nullptr;
    for (ssize_t size; (size = nghttp2_session_mem_send(session_, &out)) > 0;) {
      if (SSL_write(ssl, out, static_cast<int>(size)) <= 0) return false;
    }
    char in[16384];
    const int size = SSL_read(ssl, in, sizeof in);
    if (size > 0)
      return nghttp2_session_mem_recv(session_, reinterpret_cast<uint8_t*>(in), static_cast<size_t>(size)) >= 0;
    const int error = SSL_get_error(ssl, size);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
  }

  void Answer(int32_t id) {
    ++server_.requests;
    Stream& stream = streams_[id];
    const std::string& path = stream.fields[":path"];
    if (path == "/refused" && !std::exchange(refused_, true)) {
      nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_REFUSED_STREAM);
      return;
    }
    Count(stream.body);
    if (path == "/held" && !server_.released) {
      held_.insert(id);
    } else if (path == "/reset") {
      nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
    } else if (path == "/large") {
      Reply(id, "200", std::string(kLarge, 'x'));
    } else if (path == "/watch") {
      stream.endless = true;
      Reply(id, "200", "line\n");
    } else if (path == "/slow") {
      Reply(id, "429", "later");
    } else {
      Reply(id, "200",
            "connection=" + std::to_string(number_) + " " + stream.fields[":method"] + " " + path +
                " authorization=" + stream.fields["authorization"] + " type=" + stream.fields["content-type"] +
                " agent=" + stream.fields["user-agent"] + " body=" + stream.body);
    }
  }

  void Count(const std::string& body) {
    const std::lock_guard lock(server_.mutex);
    ++server_.repeated[body];
  }

  static nghttp2_nv Field(std::string_view name, std::string_view value) {
    return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
            reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
            NGHTTP2_NV_FLAG_NONE};
  }

  void Reply(int32_t id, const std::string& status, std::string body) {
    streams_[id].reply = std::move(body);
    const nghttp2_nv fields[] = {Field(":status", status), Field("content-type", "application/json"),
                                 Field("retry-after", "7")};
    nghttp2_data_provider source{.source = {}, .read_callback = Read};
    nghttp2_submit_response(session_, id, fields, status == "429" ? 3 : 2, &source);
  }

  static ssize_t Read(nghttp2_session*, int32_t id, uint8_t* out, size_t most, uint32_t* flags, nghttp2_data_source*,
                      void* self) {
    Stream& stream = Of(self).streams_[id];
    const size_t size = std::min(most, stream.reply.size() - stream.sent);
    if (size == 0 && stream.endless) return NGHTTP2_ERR_DEFERRED;
    std::memcpy(out, stream.reply.data() + stream.sent, size);
    stream.sent += size;
    if (stream.sent == stream.reply.size() && !stream.endless) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(size);
  }

  Http2Server::State& server_;
  const int socket_, number_;
  int go_aways_, closes_;
  bool refused_ = false;
  nghttp2_session* session_ = nullptr;
  std::map<int32_t, Stream> streams_;
  std::set<int32_t> held_;
};

int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                   unsigned offered_size, void*) {
  static constexpr unsigned char kHttp2[] = "\x02h2";
  const int found = SSL_select_next_proto(const_cast<unsigned char**>(chosen), size, kHttp2, 3, offered, offered_size);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

void Accept(Http2Server::State& state) {
  while (true) {
    const int socket = accept4(state.listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const int number = ++state.connections;
    if (number == state.options.dropped) {
      close(socket);
      continue;
    }
    const std::lock_guard lock(state.mutex);
    if (number > state.options.most_served) {
      state.silent.push_back(socket);
      continue;
    }
    state.threads.emplace_back([&state, socket, number] { Http2Peer(state, socket, number).Run(); });
  }
}

}  // namespace

Http2Server::Http2Server(const std::string& files, Http2ServerOptions options) : state_(std::make_unique<State>()) {
  std::signal(SIGPIPE, SIG_IGN);  // SSL_write cannot ask for MSG_NOSIGNAL
  state_->options = options;
  state_->context = SSL_CTX_new(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(state_->context, (files + ".crt").c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(state_->context, (files + ".key").c_str(), SSL_FILETYPE_PEM) != 1) {
    GiveUp("cannot read the certificate");
  }
  SSL_CTX_set_alpn_select_cb(state_->context, ChooseProtocol, nullptr);
  state_->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(state_->listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(state_->listener, 64) != 0 ||
      getsockname(state_->listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    GiveUp("cannot listen");
  }
  port_ = ntohs(address.sin_port);
  state_->accepting = std::thread([state = state_.get()] { Accept(*state); });
}

Http2Server::~Http2Server() {
  state_->quit = true;
  shutdown(state_->listener, SHUT_RDWR);
  state_->accepting.join();
  close(state_->listener);
  for (const int socket : state_->silent) close(socket);
  for (std::thread& thread : state_->threads) thread.join();
  SSL_CTX_free(state_->context);
}

int Http2Server::connections() const { return state_->connections; }
int Http2Server::requests() const { return state_->requests; }
int Http2Server::most_open() const { return state_->most_open; }
int Http2Server::most_repeated() const {
  const std::lock_guard lock(state_->mutex);
  int most = 0;
  for (const auto& [body, times] : state_->repeated) most = std::max(most, times);
  return most;
}
void Http2Server::Release() { state_->released = true; }
void Http2Server::CloseConnections() { ++state_->closes; }
void Http2Server::GoAway(bool processed) {
  state_->processed = processed;
  ++state_->go_aways;
}

}  // namespace berth::http
