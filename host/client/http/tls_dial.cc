#include "client/http/tls_dial.h"

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <string_view>

#include "client/http/io_thread.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr unsigned char kProtocols[] = "\x02h2\x08http/1.1";
constexpr int kKeepAliveSeconds = 30;  // net.Dialer of client-go

void Tune(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  using Seconds = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPIDLE>;
  using Interval = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPINTVL>;
  socket.set_option(Seconds(kKeepAliveSeconds), ignored);
  socket.set_option(Interval(kKeepAliveSeconds), ignored);
}

class Dial : public std::enable_shared_from_this<Dial> {
 public:
  Dial(std::shared_ptr<Peer> peer, Dialed done)
      : peer_(std::move(peer)), done_(std::move(done)), resolver_(IoContext()), timer_(IoContext()) {}

  void Begin() {
    try {
      channel_ = std::make_shared<TlsChannel>(peer_);
    } catch (const std::exception& e) {
      return asio::post(IoContext(),
                        [self = shared_from_this(), fault = Fault{e.what(), 0, true}] { self->Fail(fault); });
    }
    timer_.expires_after(peer_->options.timeout);
    timer_.async_wait([self = shared_from_this()](const error_code& error) {
      if (!error) self->TimeIsOver();
    });
    Resolve();
  }

 private:
  void TimeIsOver() {
    Fail({step_, ETIMEDOUT});
    resolver_.cancel();
    if (channel_) channel_->Close();
  }

  void Resolve() {
    step_ = "Error resolving address";
    error_code no_address;
    const auto address = asio::ip::make_address(peer_->server.host, no_address);
    if (!no_address) return ConnectTo({tcp::endpoint(address, peer_->server.port)});
    resolver_.async_resolve(
        peer_->server.host, std::to_string(peer_->server.port),
        [self = shared_from_this()](const error_code& error, const tcp::resolver::results_type& found) {
          if (error) return self->Fail({self->step_, error.value()});
          self->ConnectTo({found.begin(), found.end()});
        });
  }

  void ConnectTo(std::vector<tcp::endpoint> endpoints) {
    step_ = "Failed to connect to any resolved endpoint";
    endpoints_ = std::move(endpoints);
    asio::async_connect(channel_->stream().next_layer(), endpoints_,
                        [self = shared_from_this()](const error_code& error, const tcp::endpoint&) {
                          if (error) return self->Fail({self->step_, error.value()});
                          self->Handshake();
                        });
  }

  void Handshake() {
    step_ = "Error in SSL handshake";
    Tune(channel_->stream().next_layer());
    channel_->stream().async_handshake(asio::ssl::stream_base::client,
                                       [self = shared_from_this()](const error_code& error) {
                                         if (error) return self->Fail({self->step_, error.value()});
                                         self->End(self->channel_, nullptr);
                                       });
  }

  void Fail(const Fault& fault) { End(nullptr, &fault); }

  void End(std::shared_ptr<TlsChannel> channel, const Fault* fault) {
    timer_.cancel();
    if (const Dialed done = std::exchange(done_, nullptr)) done(std::move(channel), fault);
  }

  const std::shared_ptr<Peer> peer_;
  Dialed done_;
  tcp::resolver resolver_;
  asio::steady_timer timer_;
  std::vector<tcp::endpoint> endpoints_;
  std::shared_ptr<TlsChannel> channel_;
  const char* step_ = "";
};

}  // namespace

TlsChannel::TlsChannel(std::shared_ptr<Peer> peer) : peer_(std::move(peer)), context_(asio::ssl::context::tls_client) {
  PrepareTls(context_, *peer_);
  stream_ = std::make_unique<Stream>(IoContext(), context_);
  SSL* const ssl = stream_->native_handle();
  SSL_set_alpn_protos(ssl, kProtocols, sizeof(kProtocols) - 1);
  const std::string& name = peer_->VerifiedName();
  if (!IsIpAddress(name)) SSL_set_tlsext_host_name(ssl, name.c_str());  // an address is no server name (RFC 6066)
}

bool TlsChannel::speaks_http2() {
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(stream_->native_handle(), &chosen, &size);
  return std::string_view(reinterpret_cast<const char*>(chosen), size) == "h2";
}

void TlsChannel::Close() {
  error_code ignored;
  stream_->next_layer().close(ignored);
}

void DialTls(const std::shared_ptr<Peer>& peer, Dialed done) { std::make_shared<Dial>(peer, std::move(done))->Begin(); }

}  // namespace berth::http
