#include "client/http/tls_dial.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <string_view>

#include "client/http/io_thread.h"
#include "client/http/resolve.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr unsigned char kProtocols[] = "\x02h2\x08http/1.1";
constexpr std::chrono::seconds kLeastShare{2};
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
      : peer_(std::move(peer)), done_(std::move(done)), timer_(IoContext()), share_(IoContext()) {}

  void Begin() {
    try {
      channel_ = std::make_shared<TlsChannel>(peer_);
    } catch (const std::exception& e) {
      return asio::post(IoContext(),
                        [self = shared_from_this(), fault = Fault{e.what(), 0, true}] { self->End(fault); });
    }
    timer_.expires_after(peer_->options.timeout);
    timer_.async_wait([self = shared_from_this()](const error_code& error) {
      if (!error && !self->over()) self->TimeIsOver();
    });
    ResolveHost();
  }

 private:
  void TimeIsOver() {
    lookup_.request_stop();
    End({step_, ETIMEDOUT});
  }

  void ResolveHost() {
    step_ = "Error resolving address";
    Resolve(peer_->server.host, peer_->server.port, lookup_.get_token(),
            [self = shared_from_this()](const error_code& error, std::vector<tcp::endpoint> found) {
              if (self->over()) return;
              if (error) return self->End({self->step_, error.value()});
              self->ConnectTo(std::move(found));
            });
  }

  void ConnectTo(std::vector<tcp::endpoint> endpoints) {
    step_ = "Failed to connect to any resolved endpoint";
    endpoints_ = std::move(endpoints);
    ConnectToNext();
  }

  // Each address has its share of the time that is left, as with Go's net.Dialer: an address that is silent does not
  // keep the next one from its turn.
  void ConnectToNext() {
    const tcp::endpoint to = endpoints_[next_++];
    const auto left = static_cast<int64_t>(endpoints_.size() - next_ + 1);
    share_.expires_after(std::max<Clock::duration>((timer_.expiry() - Clock::now()) / left, kLeastShare));
    share_.async_wait([self = shared_from_this(), turn = next_](const error_code& error) {
      if (!error && !self->over() && turn == self->next_ && turn < self->endpoints_.size()) self->channel_->Close();
    });
    channel_->stream().next_layer().async_connect(to, [self = shared_from_this()](const error_code& error) {
      self->share_.cancel();
      if (self->over()) return;
      if (!error) return self->Handshake();
      self->channel_->Close();  // the next attempt opens it again
      if (self->next_ < self->endpoints_.size()) return self->ConnectToNext();
      self->End({self->step_, error.value()});
    });
  }

  void Handshake() {
    step_ = "Error in SSL handshake";
    Tune(channel_->stream().next_layer());
    channel_->stream().async_handshake(asio::ssl::stream_base::client,
                                       [self = shared_from_this()](const error_code& error) {
                                         if (self->over()) return;
                                         if (error) return self->End({self->step_, TlsChannel::CodeOf(error)});
                                         self->timer_.cancel();
                                         std::exchange(self->done_, nullptr)(std::move(self->channel_), nullptr);
                                       });
  }

  bool over() const { return done_ == nullptr; }

  void End(const Fault& fault) {
    timer_.cancel();
    if (channel_) channel_->Close();
    std::exchange(done_, nullptr)(nullptr, &fault);
  }

  const std::shared_ptr<Peer> peer_;
  Dialed done_;
  std::stop_source lookup_;
  asio::steady_timer timer_, share_;
  std::vector<tcp::endpoint> endpoints_;
  size_t next_ = 0;  // of endpoints_
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

bool TlsChannel::HasUnread() {
  if (BIO_pending(SSL_get_rbio(stream_->native_handle())) > 0) return true;  // Asio has read it from the socket
  error_code ignored;
  return stream_->next_layer().available(ignored) > 0;
}

int TlsChannel::CodeOf(const error_code& error) {
  return error == asio::ssl::error::stream_truncated ? asio::error::eof : error.value();
}

void TlsChannel::Close() {
  error_code ignored;
  stream_->next_layer().close(ignored);
}

void DialTls(const std::shared_ptr<Peer>& peer, Dialed done) { std::make_shared<Dial>(peer, std::move(done))->Begin(); }

}  // namespace berth::http
