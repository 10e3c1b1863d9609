#include "client/http/tls.h"

#include <boost/asio/ssl.hpp>
#include <memory>

namespace berth::http {
namespace {

namespace ssl = boost::asio::ssl;

thread_local bool t_without_system_trust = false;

// Go's messages, which operators know and search for.
std::string RefusalText(int error, const std::string& name) {
  switch (error) {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return "x509: certificate signed by unknown authority";
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID: return "x509: certificate has expired or is not yet valid";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return "x509: certificate is not valid for " + name;
    default: return std::string("x509: ") + X509_verify_cert_error_string(error);
  }
}

// Replaces X509_verify_cert, to get the reason of a rejection. It also replaces cpprestsdk's own callback, which
// compares names with the Host header; here OpenSSL knows the name.
int VerifyChain(X509_STORE_CTX* chain, void* peer) {
  X509_STORE_CTX_set_verify_cb(chain, [](int ok, X509_STORE_CTX*) { return ok; });
  const int ok = X509_verify_cert(chain);
  if (ok <= 0) {
    auto& of = *static_cast<Peer*>(peer);
    of.NoteTlsFault(RefusalText(X509_STORE_CTX_get_error(chain), of.VerifiedName()));
  }
  return ok;
}

void Verify(ssl::context& context, Peer& peer) {
  X509_VERIFY_PARAM* rules = SSL_CTX_get0_param(context.native_handle());
  // As Go: a certificate in the bundle is trusted whether or not it is self-signed; a common name is no host name.
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const std::string& name = peer.VerifiedName();
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) != 1 &&
      X509_VERIFY_PARAM_set1_host(rules, name.c_str(), name.size()) != 1) {
    throw SetupFault("tls: server name \"" + name + "\" cannot be verified");
  }
  SSL_CTX_set_cert_verify_callback(context.native_handle(), VerifyChain, &peer);
}

void Show(ssl::context& context, const TlsOptions::Identity& identity) {
  // Otherwise OpenSSL asks for the password of an encrypted key on the terminal.
  context.set_password_callback([](size_t, ssl::context::password_purpose) { return std::string(); });
  boost::system::error_code error;
  context.use_certificate_chain(boost::asio::buffer(identity.certificate_pem), error);
  if (error) throw SetupFault("tls: client certificate: " + error.message());
  context.use_private_key(boost::asio::buffer(identity.key_pem), ssl::context::pem, error);
  if (error) throw SetupFault("tls: private key of the client certificate: " + error.message());
}

bool IsNone(const TlsOptions::Identity& identity) {
  return identity.certificate_pem.empty() && identity.key_pem.empty();
}

void Identify(ssl::context& context, Peer& peer) {
  if (!peer.options.tls.identity) return;
  Gate::Pass pass(*peer.gate);
  if (!pass) throw SetupFault("the transport is closed");
  const auto identity = peer.options.tls.identity();
  if (!identity) throw SetupFault(identity.error().message);
  if (IsNone(*identity)) return;
  Show(context, *identity);
  peer.NoteCertificateShown();
}

// cpprestsdk passes a context that already trusts the system's CAs; a bundle replaces those.
ssl::context Fresh() {
  ssl::context context(ssl::context::tls_client);
  context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                      ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  return context;
}

}  // namespace

void PrepareTls(ssl::context& context, Peer& peer) {
  context = Fresh();
  try {
    if (peer.trust) {
      SSL_CTX_set1_cert_store(context.native_handle(), peer.trust.get());
      Verify(context, peer);
    }
    Identify(context, peer);
  } catch (const boost::system::system_error& e) {
    throw SetupFault(std::string("tls: ") + e.what());
  }
}

base::Result<void> CheckIdentity(const Peer& peer) {
  if (!peer.options.tls.identity) return {};
  const auto identity = peer.options.tls.identity();
  if (!identity || IsNone(*identity)) return {};
  try {
    ssl::context context = Fresh();
    Show(context, *identity);
  } catch (const std::exception& e) {
    return base::Fail(e.what());
  }
  return {};
}

base::Result<std::shared_ptr<x509_store_st>> LoadTrust(const TlsOptions& options) {
  ssl::context context = Fresh();
  boost::system::error_code error;
  if (options.ca_pem.empty()) {
    context.set_default_verify_paths(error);
  } else {
    context.add_certificate_authority(boost::asio::buffer(options.ca_pem), error);
  }
  if (error) return base::Fail("unable to load root certificates: " + error.message());
  X509_STORE* store = SSL_CTX_get_cert_store(context.native_handle());
  X509_STORE_up_ref(store);
  return std::shared_ptr<x509_store_st>(store, X509_STORE_free);
}

WithoutSystemTrust::WithoutSystemTrust() { t_without_system_trust = true; }
WithoutSystemTrust::~WithoutSystemTrust() { t_without_system_trust = false; }

std::string TlsErrorText(int code) {
  if (ERR_GET_LIB(static_cast<unsigned long>(code)) == 0) return {};  // an errno
  const char* text = ERR_reason_error_string(static_cast<unsigned long>(code));
  return text == nullptr ? std::string() : text;
}

}  // namespace berth::http

// Replaces OpenSSL's own function of this name, with the same behavior except for the switch, for this program and its
// libraries: there is no other way to keep cpprestsdk from reading those files for each connection.
extern "C" int SSL_CTX_set_default_verify_paths(SSL_CTX* context) {
  if (berth::http::t_without_system_trust) return 1;
  return X509_STORE_set_default_paths(SSL_CTX_get_cert_store(context));
}
