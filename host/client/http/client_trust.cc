#include "client/http/client_trust.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "client/http/x509.h"
#include "codec/text/rfc3339.h"

namespace berth::http {
namespace {

using Store = std::shared_ptr<x509_store_st>;
using Moment = ClientTrust::Time;

std::string Rfc3339(Moment time) { return text::UnixTimeText(std::chrono::system_clock::to_time_t(time)); }

// Why the certificate is not valid at that time; "" = it is. Source: Go x509 Certificate.isValid.
std::string OutOfTime(const X509& certificate, Moment now) {
  const std::string begin = "x509: certificate has expired or is not yet valid: current time " + Rfc3339(now) + " is ";
  const Moment first = TimeOf(*X509_get0_notBefore(&certificate)), last = TimeOf(*X509_get0_notAfter(&certificate));
  if (now < first) return begin + "before " + Rfc3339(first);
  if (now > last) return begin + "after " + Rfc3339(last);
  return {};
}

constexpr int kMostIntermediates =
    15;  // "Most chains are less than 15 certificates long" (Go x509 maxChainSignatureChecks)
const char* const kUnknown = "x509: certificate signed by unknown authority";

// Go's message, which names the reason for which a CA was not accepted.
std::string UnknownBecause(const std::string& reason, const X509* ca) {
  const std::string name = ca == nullptr ? std::string() : CommonNameOf(*ca);
  return std::string(kUnknown) + " (possibly because of " + base::Quoted(reason) +
         " while trying to verify candidate authority certificate " + base::Quoted(name) + ")";
}

std::string RejectionOf(const X509_STORE_CTX& chain, Moment now) {
  auto& context = const_cast<X509_STORE_CTX&>(chain);  // OpenSSL's accessors are not const
  const X509* at = X509_STORE_CTX_get_current_cert(&context);
  const int error = X509_STORE_CTX_get_error(&chain);
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return at == nullptr ? X509_verify_cert_error_string(error) : OutOfTime(*at, now);
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    case X509_V_ERR_CERT_UNTRUSTED: return kUnknown;
    case X509_V_ERR_INVALID_CA:
    case X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
      return UnknownBecause("x509: invalid signature: parent certificate cannot sign this kind of certificate", at);
    case X509_V_ERR_CA_MD_TOO_WEAK: return UnknownBecause("x509: cannot verify signature: insecure algorithm", at);
    case X509_V_ERR_PATH_LENGTH_EXCEEDED:
    case X509_V_ERR_CERT_CHAIN_TOO_LONG: return "x509: too many intermediates for path length constraint";
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: return "x509: unhandled critical extension";
    case X509_V_ERR_PERMITTED_VIOLATION:
    case X509_V_ERR_EXCLUDED_VIOLATION:
      return "x509: a root or intermediate certificate is not authorized to sign for this name";
    default: return std::string("x509: ") + X509_verify_cert_error_string(error);
  }
}

// Source: Go x509 checkChainForKeyUsage, for clientAuth. OpenSSL's own check also judges the key usage of the client's
// certificate, which Go ignores, and rejects anyExtendedKeyUsage, which Go accepts.
bool AllowsClients(STACK_OF(X509) * chain) {
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    const uint32_t usage =
        X509_get_extended_key_usage(sk_X509_value(chain, i));  // UINT32_MAX: has none, any is allowed
    if ((usage & (XKU_SSL_CLIENT | XKU_ANYEKU)) == 0) return false;
  }
  return true;
}

void SetRules(X509_STORE_CTX& context, Moment now) {
  X509_VERIFY_PARAM* rules = X509_STORE_CTX_get0_param(&context);
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);  // a CA that is not self-signed is trusted as well
  X509_VERIFY_PARAM_set_time(rules, std::chrono::system_clock::to_time_t(now));
  X509_VERIFY_PARAM_set_auth_level(rules, 1);  // neither MD5 nor SHA-1, as Go
  X509_VERIFY_PARAM_set_depth(rules, kMostIntermediates);
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);  // a common name is no host name
}

// Why the chain is rejected; "" = it is accepted.
std::string Rejection(x509_store_st& trusted, X509& certificate, STACK_OF(X509) * others, Moment now) {
  const Openssl<X509_STORE_CTX> context(X509_STORE_CTX_new());
  if (!context || X509_STORE_CTX_init(context.get(), &trusted, &certificate, others) != 1) return "x509: no memory";
  SetRules(*context, now);
  const bool valid = X509_verify_cert(context.get()) == 1;
  ERR_clear_error();
  if (!valid) return RejectionOf(*context, now);
  if (!AllowsClients(X509_STORE_CTX_get0_chain(context.get()))) {
    return "x509: certificate specifies an incompatible key usage";
  }
  return {};
}

// Source: parseUIDFromCert.
void ReadUid(const X509& certificate, ClientName& name) {
  static ASN1_OBJECT* const kUid = OBJ_txt2obj("1.3.6.1.4.1.57683.2", 1);
  const std::vector<std::string> uids = SubjectValues(certificate, *kUid);
  if (uids.size() > 1) name.uid_error = "expected 1 UID, but found multiple: " + base::Bracketed(uids);
  if (uids.size() != 1) return;
  name.uid = uids.front();
  if (name.uid.empty()) name.uid_error = "UID cannot be an empty string";
}

std::string Hex(const unsigned char* bytes, size_t size, const char* digits, const char* separator) {
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    if (i > 0) text += separator;
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

std::string KeyIdText(const ASN1_OCTET_STRING* id) {
  if (id == nullptr) return {};
  return Hex(ASN1_STRING_get0_data(id), static_cast<size_t>(ASN1_STRING_length(id)), "0123456789ABCDEF", ":");
}

ClientName NameOf(const X509& certificate) {
  ClientName name;
  name.common_name = CommonNameOf(certificate);
  name.organizations = SubjectValues(certificate, *OBJ_nid2obj(NID_organizationName));
  ReadUid(certificate, name);
  name.expires = TimeOf(*X509_get0_notAfter(&certificate));
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  X509_digest(&certificate, EVP_sha256(), digest.data(), &size);
  name.sha256 = Hex(digest.data(), size, "0123456789abcdef", "");
  return name;
}

Store& StoreAt(std::vector<Store>& stores, size_t i) {
  if (stores.size() <= i) stores.emplace_back(X509_STORE_new(), X509_STORE_free);
  return stores[i];
}

}  // namespace

base::Result<std::shared_ptr<const ClientTrust>> ClientTrust::Load(const std::string& ca_pem) {
  const auto certificates = ReadCertificates(ca_pem);
  if (!certificates) return tl::unexpected(certificates.error());
  std::vector<Store> stores;
  std::map<unsigned long, size_t> of_that_name;
  std::vector<std::string> names;
  for (const auto& ca : *certificates) {
    std::string name = SubjectDerOf(*ca);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    const Store& store = StoreAt(stores, of_that_name[X509_subject_name_hash(ca.get())]++);
    if (!store || X509_STORE_add_cert(store.get(), ca.get()) != 1) return base::Fail("x509: " + OpensslReason());
  }
  return std::shared_ptr<const ClientTrust>(new ClientTrust(std::move(stores), std::move(names)));
}

base::Result<ClientName> ClientTrust::Verify(const std::vector<std::string>& der_chain, Time now) const {
  std::vector<Openssl<X509>> certificates;
  const Openssl<STACK_OF(X509)> others(sk_X509_new_null());
  for (const std::string& der : der_chain) {
    certificates.push_back(ReadDer(der));
    if (!certificates.back()) return base::Fail("x509: malformed certificate");
    if (certificates.size() > 1) sk_X509_push(others.get(), certificates.back().get());
  }
  if (certificates.empty()) return base::Fail("x509: missing ASN.1 contents; use ParseCertificate");
  X509& certificate = *certificates.front();
  if (std::string late = OutOfTime(certificate, now); !late.empty()) return base::Fail(std::move(late));
  std::string why;
  for (const Store& store : stores_) {
    const std::string rejection = Rejection(*store, certificate, others.get(), now);
    if (rejection.empty()) return NameOf(certificate);
    if (why.empty()) why = rejection;
  }
  return base::Fail(std::move(why));
}

std::string CertificateIdentifier(const std::string& der) {
  const Openssl<X509> certificate = ReadDer(der);
  if (!certificate) return {};
  const Openssl<BIGNUM> serial(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate.get()), nullptr));
  char* decimal = BN_bn2dec(serial.get());
  std::string text = "SN=" + std::string(decimal == nullptr ? "" : decimal) +
                     ", SKID=" + KeyIdText(X509_get0_subject_key_id(certificate.get())) +
                     ", AKID=" + KeyIdText(X509_get0_authority_key_id(certificate.get()));
  OPENSSL_free(decimal);
  return text;
}

}  // namespace berth::http
