// Small helpers for certificates in OpenSSL's form. For .cc files of this folder only. Thread: any; pure.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/ssl/detail/openssl_types.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::http {

struct FreeOpenssl {
  void operator()(ASN1_STRING* p) const { ASN1_STRING_free(p); }  // also times and numbers
  void operator()(BIGNUM* p) const { BN_free(p); }
  void operator()(BIO* p) const { BIO_free_all(p); }
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(GENERAL_NAMES* p) const { GENERAL_NAMES_free(p); }
  void operator()(STACK_OF(X509) * p) const { sk_X509_free(p); }  // not the certificates in it
  void operator()(X509* p) const { X509_free(p); }
  void operator()(X509_EXTENSION* p) const { X509_EXTENSION_free(p); }
  void operator()(X509_NAME* p) const { X509_NAME_free(p); }
  void operator()(X509_STORE_CTX* p) const { X509_STORE_CTX_free(p); }
};
template <class T>
using Openssl = std::unique_ptr<T, FreeOpenssl>;

// A stack that owns its certificates; Openssl<STACK_OF(X509)> does not.
struct FreeCertificates {
  void operator()(STACK_OF(X509) * p) const { sk_X509_pop_free(p, X509_free); }
};
using CertificateChain = std::unique_ptr<STACK_OF(X509), FreeCertificates>;

// nullptr: the bytes are not exactly one certificate.
Openssl<X509> ReadDer(std::string_view der);
std::string DerOf(X509& certificate);

struct PemBlock {
  std::string type, headers, bytes;
};
// The blocks of a text, in order. What is not a complete block is skipped, as Go's pem.Decode does.
std::vector<PemBlock> ReadPem(std::string_view pem);

// The certificates of a text, in order; other blocks, and blocks with headers, are skipped. Fails when there is none,
// or when a certificate cannot be parsed. Source: client-go util/cert ParseCertsPEM.
base::Result<std::vector<Openssl<X509>>> ReadCertificates(std::string_view pem);

// The subject, in DER.
std::string SubjectDerOf(const X509& certificate);

std::chrono::system_clock::time_point TimeOf(const ASN1_TIME& time);

// The values of one attribute in the subject, in order, as UTF-8.
std::vector<std::string> SubjectValues(const X509& certificate, const ASN1_OBJECT& attribute);
// The last common name, which is Go's pkix.Name.CommonName; "" = none.
std::string CommonNameOf(const X509& certificate);
// The subject's alternative names of the type DNS, in order.
std::vector<std::string> DnsNamesOf(const X509& certificate);

// The reason of OpenSSL's last error of this thread, whose queue it clears: "key values mismatch".
std::string OpensslReason();

}  // namespace berth::http
