#include "client/http/wire.h"

#include <boost/asio/ip/tcp.hpp>

#include "client/http/x509.h"

namespace berth::http {
namespace {

using boost::asio::ip::tcp;

// A socket for both families reports IPv4 addresses as "::ffff:127.0.0.1".
boost::asio::ip::address Unmapped(const boost::asio::ip::address& address) {
  namespace ip = boost::asio::ip;
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

std::string HostOf(const tcp::endpoint& endpoint) { return Unmapped(endpoint.address()).to_string(); }

using EitherStream = std::variant<Wire::Plain, Wire::Tls>;

EitherStream StreamOf(tcp::socket socket, const ServerTls* tls) {
  if (tls == nullptr) return EitherStream(std::in_place_type<Wire::Plain>, std::move(socket));
  boost::system::error_code ignored;
  const std::string host = HostOf(socket.local_endpoint(ignored));
  Wire::Tls stream(Wire::Plain(std::move(socket)), tls->context());
  ServerTls::SetLocalAddress(*stream.native_handle(), host);
  return EitherStream(std::in_place_type<Wire::Tls>, std::move(stream));
}

}  // namespace

Wire::Wire(tcp::socket socket, const ServerTls* tls) : stream_(StreamOf(std::move(socket), tls)) {}

std::string Wire::RemoteAddress() {
  boost::system::error_code error;
  const tcp::endpoint remote = tcp().socket().remote_endpoint(error);
  if (error) return {};
  const std::string host = HostOf(remote);
  const bool brackets = host.find(':') != std::string::npos;
  return (brackets ? "[" + host + "]" : host) + ":" + std::to_string(remote.port());
}

std::vector<std::string> Wire::ClientCertificates() {
  std::vector<std::string> chain;
  if (!tls()) return chain;
  const Openssl<X509> own(SSL_get1_peer_certificate(over_tls().native_handle()));
  if (!own) return chain;
  chain.push_back(DerOf(*own));
  STACK_OF(X509)* others = SSL_get_peer_cert_chain(over_tls().native_handle());  // of a server: without its own
  for (int i = 0; i < sk_X509_num(others); ++i) chain.push_back(DerOf(*sk_X509_value(others, i)));
  return chain;
}

}  // namespace berth::http
