#include "cluster/secure_serving/secure_serving.h"

#include <chrono>
#include <string>

#include "client/http/server_tls.h"
#include "telemetry/log/log.h"

namespace berth::secure_serving {
namespace {

constexpr std::chrono::seconds kPollEvery{10};
constexpr std::chrono::seconds kIdleTime{90};  // upstream's IdleTimeout

// Go's net.JoinHostPort.
std::string AddressOf(const options::Serving& serving) {
  const bool brackets = serving.bind_address.find(':') != std::string::npos;
  return (brackets ? "[" + serving.bind_address + "]" : serving.bind_address) + ":" +
         std::to_string(serving.secure_port);
}

http::ListenerOptions ListenerOptionsOf(const options::Serving& serving, std::shared_ptr<http::ServerTls> tls,
                                        http::ListenerOptions limits) {
  limits.tls = std::move(tls);
  limits.both_families = true;
  limits.share_port = serving.permit_port_sharing;  // Go, and therefore Listener, sets SO_REUSEADDR in any case
  limits.idle_time = kIdleTime;
  return limits;
}

}  // namespace

base::Result<std::unique_ptr<SecureServing>> SecureServing::Start(const options::Serving& serving,
                                                                  http::Listener::Handler handler,
                                                                  http::ListenerOptions limits,
                                                                  http::ClientCas client_cas) {
  if (serving.secure_port == 0) return std::unique_ptr<SecureServing>();
  auto tls = http::ServerTls::Make({.cipher_suites = serving.tls_cipher_suites,
                                    .min_version = serving.tls_min_version,
                                    .curve_preferences = serving.tls_curve_preferences,
                                    .client_cas = std::move(client_cas)});
  if (!tls) return tl::unexpected(tls.error());
  auto certificates = Certificates::Load(serving, *tls);
  if (!certificates) return tl::unexpected(certificates.error());
  const std::string address = AddressOf(serving);
  auto listener =
      http::Listener::Start(address, std::move(handler), ListenerOptionsOf(serving, *tls, std::move(limits)));
  if (!listener) return tl::unexpected(listener.error());
  std::unique_ptr<SecureServing> started(new SecureServing(std::move(*certificates), std::move(*listener)));
  log::Info("Serving securely on " + address);
  started->polls_.emplace(kPollEvery, [at = started.get()] { at->Poll(); });
  return started;
}

void SecureServing::Poll() {
  base::MutexLock lock(mutex_);
  certificates_.Poll();
}

}  // namespace berth::secure_serving
