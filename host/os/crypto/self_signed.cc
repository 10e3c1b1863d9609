#include "os/crypto/self_signed.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace berth::crypto {
namespace {

using Clock = std::chrono::system_clock;

struct FreeParts {
  void operator()(ASN1_OCTET_STRING* p) const { ASN1_STRING_free(p); }
  void operator()(BIO* p) const { BIO_free_all(p); }
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(GENERAL_NAMES* p) const { GENERAL_NAMES_free(p); }
  void operator()(X509* p) const { X509_free(p); }
  void operator()(X509_EXTENSION* p) const { X509_EXTENSION_free(p); }
};
template <class T>
using Own = std::unique_ptr<T, FreeParts>;

// OpenSSL's functions fail for lack of memory or randomness only; MakeSelfSigned catches this.
void Require(bool done, const char* what) {
  if (!done) throw std::runtime_error(what);
}

Own<EVP_PKEY> NewKey() {
  Own<EVP_PKEY> key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  Require(key != nullptr, "no key can be generated");
  return key;
}

// A positive number of 63 bits.
void SetSerial(X509& certificate) {
  uint64_t serial = 0;
  Require(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof(serial)) == 1, "no random numbers");
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(&certificate), (serial >> 1) | 1);
}

void SetName(X509_NAME* name, const std::string& common_name) {
  Require(X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8,
                                     reinterpret_cast<const unsigned char*>(common_name.data()),
                                     static_cast<int>(common_name.size()), -1, 0) == 1,
          "the host is no common name");
}

void SetTimes(X509& certificate, Clock::time_point now) {
  constexpr auto kAge = std::chrono::hours(24 * 365);
  const Clock::time_point from = now - std::chrono::hours(1);  // clocks differ
  ASN1_TIME_set(X509_getm_notBefore(&certificate), Clock::to_time_t(from));
  ASN1_TIME_set(X509_getm_notAfter(&certificate), Clock::to_time_t(from + kAge));
}

void AddExtension(X509& certificate, X509& issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  const Own<X509_EXTENSION> extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  Require(extension && X509_add_ext(&certificate, extension.get(), -1) == 1, value);
}

void AddDns(GENERAL_NAMES& names, const std::string& dns) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  ASN1_IA5STRING* text = ASN1_IA5STRING_new();
  Require(name != nullptr && text != nullptr, "no memory");
  ASN1_STRING_set(text, dns.data(), static_cast<int>(dns.size()));
  GENERAL_NAME_set0_value(name, GEN_DNS, text);
  sk_GENERAL_NAME_push(&names, name);
}

bool AddIp(GENERAL_NAMES& names, const std::string& ip) {
  Own<ASN1_OCTET_STRING> address(a2i_IPADDRESS(ip.c_str()));
  if (!address) return false;
  GENERAL_NAME* name = GENERAL_NAME_new();
  Require(name != nullptr, "no memory");
  GENERAL_NAME_set0_value(name, GEN_IPADD, address.release());
  sk_GENERAL_NAME_push(&names, name);
  return true;
}

void AddNames(X509& certificate, const SelfSignedNames& names) {
  const Own<GENERAL_NAMES> all(GENERAL_NAMES_new());
  Require(all != nullptr, "no memory");
  if (!AddIp(*all, names.host)) AddDns(*all, names.host);
  for (const std::string& dns : names.dns) AddDns(*all, dns);
  for (const std::string& ip : names.ips) Require(AddIp(*all, ip), "one of the addresses is no IP address");
  Require(X509_add1_ext_i2d(&certificate, NID_subject_alt_name, all.get(), 0, 0) == 1, "no memory");
}

Own<X509> NewCertificate(const std::string& common_name, EVP_PKEY& key, Clock::time_point now) {
  Own<X509> certificate(X509_new());
  Require(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1, "no memory");
  SetSerial(*certificate);
  SetName(X509_get_subject_name(certificate.get()), common_name);
  SetTimes(*certificate, now);
  Require(X509_set_pubkey(certificate.get(), &key) == 1, "no memory");
  return certificate;
}

void Sign(X509& certificate, X509& issuer, EVP_PKEY& key) {
  Require(X509_set_issuer_name(&certificate, X509_get_subject_name(&issuer)) == 1, "no memory");
  Require(X509_sign(&certificate, &key, EVP_sha256()) > 0, "signing fails");
}

template <class Writer>
std::string Pem(Writer write) {
  const Own<BIO> text(BIO_new(BIO_s_mem()));
  Require(text && write(text.get()), "no memory");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<size_t>(size)};
}

Own<X509> NewCa(const std::string& host, EVP_PKEY& key, Clock::time_point now) {
  Own<X509> ca = NewCertificate(host + "-ca@" + std::to_string(Clock::to_time_t(now)), key, now);
  AddExtension(*ca, *ca, NID_key_usage, "critical,digitalSignature,keyEncipherment,keyCertSign");
  AddExtension(*ca, *ca, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(*ca, *ca, NID_subject_key_identifier, "hash");
  Sign(*ca, *ca, key);
  return ca;
}

Own<X509> NewLeaf(const SelfSignedNames& names, EVP_PKEY& key, X509& ca, Clock::time_point now) {
  Own<X509> leaf = NewCertificate(names.host + "@" + std::to_string(Clock::to_time_t(now)), key, now);
  AddExtension(*leaf, ca, NID_key_usage, "critical,digitalSignature,keyEncipherment");
  AddExtension(*leaf, ca, NID_ext_key_usage, "serverAuth");
  AddExtension(*leaf, ca, NID_basic_constraints, "critical,CA:FALSE");
  AddExtension(*leaf, ca, NID_authority_key_identifier, "keyid");
  AddNames(*leaf, names);
  return leaf;
}

SelfSigned Make(const SelfSignedNames& names, Clock::time_point now) {
  const Own<EVP_PKEY> ca_key = NewKey(), key = NewKey();
  const Own<X509> ca = NewCa(names.host, *ca_key, now);
  const Own<X509> leaf = NewLeaf(names, *key, *ca, now);
  Sign(*leaf, *ca, *ca_key);
  return {
      Pem([&](BIO* to) { return PEM_write_bio_X509(to, leaf.get()) == 1 && PEM_write_bio_X509(to, ca.get()) == 1; }),
      Pem([&](BIO* to) {
        return PEM_write_bio_PrivateKey_traditional(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
      })};
}

}  // namespace

base::Result<SelfSigned> MakeSelfSigned(const SelfSignedNames& names, Clock::time_point now) {
  try {
    return Make(names, now);
  } catch (const std::exception& e) {
    ERR_clear_error();
    return base::Fail(e.what());
  }
}

}  // namespace berth::crypto
