#include "client/http/failure.h"

#include <netdb.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

enum class Stage : uint8_t { kSetup, kLookup, kDial, kProxy, kProxyLookup, kProxyDial, kHandshake, kSent };

constexpr int kAsioEof = 2;  // boost::asio::error::eof, whose category is lost

// The messages of http_client_asio.cpp that mean: nothing of the request was written to this connection. Any
// other message counts as sent, which is the safe assumption when a version changes a message.
constexpr struct {
  std::string_view sentence;
  Stage stage;
} kBeforeSending[] = {
    {"Error resolving address", Stage::kLookup},
    {"Failed to resolve address", Stage::kLookup},
    {"Failed to connect to any resolved endpoint", Stage::kDial},
    {"Request canceled by user.", Stage::kDial},
    {"Error in SSL handshake", Stage::kHandshake},
    {"Error resolving proxy address", Stage::kProxyLookup},
    {"Failed to connect to any resolved proxy endpoint", Stage::kProxyDial},
    {"Failed to send connect request to proxy.", Stage::kProxy},
    {"Invalid HTTP status line during proxy connection", Stage::kProxy},
    {"Expected a 200 response from proxy, received: ", Stage::kProxy},
    {"Failed to read HTTP status line from proxy", Stage::kProxy},
};

Stage StageOf(const Fault& fault) {
  if (fault.setup) return Stage::kSetup;
  for (const auto& known : kBeforeSending) {
    if (std::string_view(fault.sentence).starts_with(known.sentence)) return known.stage;
  }
  return Stage::kSent;
}

std::string DurationText(std::chrono::milliseconds time) {
  const auto count = time.count();
  return count % 1000 == 0 ? std::to_string(count / 1000) + "s" : std::to_string(count) + "ms";
}

std::string DialText(const Endpoint& to, int code) {
  const std::string dial = "dial tcp " + to.Address() + ": ";
  if (code == ETIMEDOUT) return dial + "i/o timeout";
  // cpprestsdk reports a refused connection with this number too.
  if (code == EHOSTUNREACH) return dial + "connect: connection refused (or no route to host)";
  return dial + "connect: " + base::LowerFirst(std::strerror(code));
}

std::string LookupText(const Endpoint& of, int code) {
  const std::string lookup = "dial tcp: lookup " + of.host + ": ";
  switch (code) {
    case HOST_NOT_FOUND:
    case NO_DATA: return lookup + "no such host";
    case TRY_AGAIN: return lookup + "server misbehaving";
    case ETIMEDOUT: return lookup + "i/o timeout";
    default: return lookup + "cannot be resolved";
  }
}

std::string HandshakeText(const Peer& peer, int code) {
  if (code == ETIMEDOUT) return "net/http: TLS handshake timeout";
  std::string text = TlsErrorText(code);
  if (text == "certificate verify failed") return "tls: failed to verify certificate: " + peer.TlsFault();
  if (text == "wrong version number") return "http: server gave HTTP response to HTTPS client";
  if (text.find(" alert ") != std::string::npos) return "remote error: tls: " + text;
  if (text == "unexpected eof while reading" || code == kAsioEof) return "tls: handshake failed: EOF";
  return "tls: handshake failed: " + (text.empty() ? base::LowerFirst(std::strerror(code)) : text);
}

std::string SentText(const Fault& fault, std::chrono::milliseconds timeout) {
  const bool awaits_headers = fault.sentence == "Failed to read HTTP status line";
  if (fault.code == ETIMEDOUT) {
    return (awaits_headers ? "i/o timeout: no answer within " : "i/o timeout: no byte within ") + DurationText(timeout);
  }
  if (fault.code == ECONNABORTED && awaits_headers) return "EOF";
  if (fault.code == kAsioEof) return "unexpected EOF";
  if (fault.code == 0) return fault.sentence;
  const std::string tls = TlsErrorText(fault.code);
  if (tls == "unexpected eof while reading") return awaits_headers ? "EOF" : "unexpected EOF";
  if (tls.find(" alert ") != std::string::npos) return "remote error: tls: " + tls;
  return base::LowerFirst(fault.sentence) + ": " + (tls.empty() ? base::LowerFirst(std::strerror(fault.code)) : tls);
}

std::string ProxyText(const Fault& fault) {
  if (fault.code == 0) return base::LowerFirst(fault.sentence);
  return base::LowerFirst(fault.sentence) + ": " + base::LowerFirst(std::strerror(fault.code));
}

std::string Text(const Peer& peer, const Fault& fault, Stage stage, std::chrono::milliseconds timeout) {
  if (fault.code == ECANCELED) return "context canceled";
  switch (stage) {
    case Stage::kSetup: return fault.sentence;
    case Stage::kLookup:
      return peer.proxy ? "proxyconnect tcp: " + LookupText(*peer.proxy, fault.code)
                        : LookupText(peer.server, fault.code);
    case Stage::kDial:
      return peer.proxy ? "proxyconnect tcp: " + DialText(*peer.proxy, fault.code) : DialText(peer.server, fault.code);
    case Stage::kProxyLookup: return "proxyconnect tcp: " + LookupText(*peer.proxy, fault.code);
    case Stage::kProxyDial: return "proxyconnect tcp: " + DialText(*peer.proxy, fault.code);
    case Stage::kProxy: return "proxyconnect tcp: " + ProxyText(fault);
    case Stage::kHandshake: return HandshakeText(peer, fault.code);
    case Stage::kSent: return SentText(fault, timeout);
  }
  return fault.sentence;
}

}  // namespace

Failure Explain(const Peer& peer, const Fault& fault, bool written, std::chrono::milliseconds timeout) {
  const Stage stage = StageOf(fault);
  return {Text(peer, fault, stage, timeout), written || stage == Stage::kSent};
}

std::string ErrorPrefix(const Peer& peer, const std::string& method, const std::string& path) {
  std::string verb = method;
  for (size_t i = 1; i < verb.size(); ++i) {
    if (verb[i] >= 'A' && verb[i] <= 'Z') verb[i] = static_cast<char>(verb[i] + 32);
  }
  return verb + " \"" + peer.server.Url() + path + "\": ";
}

}  // namespace berth::http
