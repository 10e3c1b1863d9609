#include "client/http/server_tls.h"

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/ssl/context.hpp>
#include <string_view>

#include "base/text.h"
#include "client/http/certificate_table.h"
#include "client/http/go_tls_names.h"
#include "client/http/serving_identity.h"
#include "client/http/x509.h"
#include "telemetry/log/log.h"

namespace berth::http {
namespace {

namespace ssl = boost::asio::ssl;

// Of the client's certificates in one handshake, in bytes. OpenSSL's default is 100 KiB.
constexpr long kMostCertificates = 32 * 1024;

// In Go's order; OpenSSL prefers AES-256.
constexpr const char* kTls13Suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

void FreeAddress(void*, void* address, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<std::string*>(address); }

struct FreeNames {
  void operator()(STACK_OF(X509_NAME) * p) const { sk_X509_NAME_pop_free(p, X509_NAME_free); }
};
using NameList = std::unique_ptr<STACK_OF(X509_NAME), FreeNames>;

int AddressIndex() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, FreeAddress);
  return index;
}

// ALPN: HTTP/1.1, or no connection, as Go's server without HTTP/2. A client without ALPN is accepted.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                   unsigned length, void*) {
  constexpr std::string_view kHttp1 = "\x08http/1.1";
  unsigned char* found = nullptr;
  const int result = SSL_select_next_proto(&found, size, reinterpret_cast<const unsigned char*>(kHttp1.data()),
                                           static_cast<unsigned>(kHttp1.size()), offered, length);
  *chosen = found;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// The handshake proves that the client has the key of its certificate. Whether the certificate is trusted is decided
// for each request.
int AcceptAnyCertificate(X509_STORE_CTX*, void*) { return 1; }

void Warn(const CipherChoice& ciphers, const CurveChoice& curves) {
  for (const std::string& name : ciphers.insecure) {
    log::Warning("Use of insecure cipher '" + name + "' detected.");  // upstream's text
  }
  if (!ciphers.unavailable.empty()) {
    log::Warning("OpenSSL does not have these cipher suites", {{"cipherSuites", ciphers.unavailable}});
  }
  for (const int32_t id : curves.unavailable) {
    log::Warning("OpenSSL does not have this key exchange", {{"curvePreference", id}});
  }
}

base::Result<void> SetUp(SSL_CTX& context, int version, const CipherChoice& ciphers, const CurveChoice& curves) {
  // Go has no security levels. Level 1 refuses SHA-1 in signatures and keys of less than 80 bits; TLS 1.0 and 1.1 need
  // SHA-1, and therefore level 0.
  SSL_CTX_set_security_level(&context, version < TLS1_2_VERSION ? 0 : 1);
  if (ciphers.openssl.empty()) version = TLS1_3_VERSION;
  const bool done = SSL_CTX_set_min_proto_version(&context, version) == 1 &&
                    SSL_CTX_set_max_proto_version(&context, 0) == 1 &&
                    (ciphers.openssl.empty() || SSL_CTX_set_cipher_list(&context, ciphers.openssl.c_str()) == 1) &&
                    SSL_CTX_set_ciphersuites(&context, kTls13Suites) == 1 &&
                    SSL_CTX_set1_groups_list(&context, curves.openssl.c_str()) == 1;
  if (!done) return base::Fail("tls: " + OpensslReason());
  return {};
}

void SetSessions(SSL_CTX& context) {
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(&context, 0);
  SSL_CTX_set_options(&context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                    SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

void AskForCertificates(SSL_CTX& context) {
  SSL_CTX_set_verify(&context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(&context, AcceptAnyCertificate, nullptr);
  SSL_CTX_set_max_cert_list(&context, kMostCertificates);
}

bool Use(SSL& connection, const ServingIdentity& identity) {
  return SSL_use_cert_and_key(&connection, identity.certificate.get(), identity.key.get(), identity.signers.get(), 1) ==
         1;
}

// Whether connections can show the certificates: OpenSSL refuses short keys, for example.
base::Result<void> CheckUse(SSL_CTX& context, const CertificateTable& table) {
  const std::unique_ptr<SSL, decltype(&SSL_free)> connection(SSL_new(&context), SSL_free);
  for (const ServingIdentity& identity : table.identities()) {
    if (connection == nullptr || !Use(*connection, identity)) {
      return base::Fail("certificate of " + base::Quoted(CommonNameOf(*identity.certificate)) +
                        ": tls: " + OpensslReason());
    }
  }
  return {};
}

}  // namespace

ServerTls::ServerTls(ClientCas client_cas)
    : context_(std::make_unique<ssl::context>(ssl::context::tls_server)), client_cas_(std::move(client_cas)) {}
ServerTls::~ServerTls() = default;

base::Result<std::shared_ptr<ServerTls>> ServerTls::Make(const ServerTlsOptions& options) {
  const auto version = TlsVersionOf(options.min_version);
  const auto ciphers = CipherSuitesOf(options.cipher_suites);
  const auto curves = CurvesOf(options.curve_preferences);
  if (!ciphers) return tl::unexpected(ciphers.error());
  if (!curves) return tl::unexpected(curves.error());
  if (!version) return tl::unexpected(version.error());
  std::shared_ptr<ServerTls> tls(new ServerTls(options.client_cas));
  SSL_CTX& context = *tls->context_->native_handle();
  if (auto done = SetUp(context, *version, *ciphers, *curves); !done) return tl::unexpected(done.error());
  Warn(*ciphers, *curves);
  SetSessions(context);
  if (options.ask_for_client_certificate) AskForCertificates(context);
  SSL_CTX_set_alpn_select_cb(&context, ChooseProtocol, nullptr);
  SSL_CTX_set_cert_cb(&context, Choose, tls.get());
  return tls;
}

base::Result<void> ServerTls::Show(const ServingPair& main, const std::vector<ServingPair>& named) {
  auto table = CertificateTable::Make(main, named);
  if (!table) return tl::unexpected(table.error());
  if (auto usable = CheckUse(*context_->native_handle(), *table); !usable) return usable;
  auto shown = std::make_shared<const CertificateTable>(std::move(*table));
  base::MutexLock lock(mutex_);
  table_ = std::move(shown);
  return {};
}

std::shared_ptr<const CertificateTable> ServerTls::table() const {
  base::MutexLock lock(mutex_);
  return table_;
}

void ServerTls::SetLocalAddress(ssl_st& connection, const std::string& address) {
  SSL_set_ex_data(&connection, AddressIndex(), std::make_unique<std::string>(address).release());
}

// Source: tls.Config.ClientCAs, which DynamicServingCertificateController sets.
bool ServerTls::NameClientCas(ssl_st& connection) const {
  if (!client_cas_) return true;
  NameList names(sk_X509_NAME_new_null());
  for (const std::string& der : client_cas_()) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
    Openssl<X509_NAME> name(d2i_X509_NAME(nullptr, &bytes, static_cast<long>(der.size())));
    if (!name || sk_X509_NAME_push(names.get(), name.get()) == 0) return false;
    static_cast<void>(name.release());  // the list owns it
  }
  SSL_set_client_CA_list(&connection, names.release());
  return true;
}

int ServerTls::Choose(ssl_st* connection, void* self) {
  const auto& tls = *static_cast<const ServerTls*>(self);
  const auto table = tls.table();
  if (table == nullptr || !tls.NameClientCas(*connection)) return 0;
  const char* name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
  const auto* address = static_cast<const std::string*>(SSL_get_ex_data(connection, AddressIndex()));
  return Use(*connection, table->Find(name == nullptr ? "" : name, address == nullptr ? "" : *address)) ? 1 : 0;
}

}  // namespace berth::http
