#include "client/http/x509.h"

#include <algorithm>
#include <ctime>

namespace berth::http {
namespace {

struct FreePemPart {
  void operator()(void* p) const { OPENSSL_free(p); }
};
using PemPart = std::unique_ptr<unsigned char, FreePemPart>;
using PemText = std::unique_ptr<char, FreePemPart>;

// Skips text that is no block, also damaged blocks. false: there are no more.
bool NextBlock(BIO& text, PemBlock& block) {
  while (BIO_eof(&text) == 0) {
    char *type = nullptr, *headers = nullptr;
    unsigned char* bytes = nullptr;
    long size = 0;
    const bool read = PEM_read_bio(&text, &type, &headers, &bytes, &size) == 1;
    const PemText own_type(type), own_headers(headers);
    const PemPart own_bytes(bytes);
    if (read) {
      block = {type, headers, std::string(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size))};
      return true;
    }
  }
  ERR_clear_error();
  return false;
}

std::string Utf8Of(const ASN1_STRING& text) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, &text);
  const PemPart own(utf8);
  return size < 0 ? std::string() : std::string(reinterpret_cast<const char*>(utf8), static_cast<size_t>(size));
}

}  // namespace

Openssl<X509> ReadDer(std::string_view der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const unsigned char* const end = at + der.size();
  Openssl<X509> certificate(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
  if (!certificate) ERR_clear_error();
  return at == end ? std::move(certificate) : nullptr;
}

std::string DerOf(X509& certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509(&certificate, &der);
  const PemPart own(der);
  return size < 0 ? std::string() : std::string(reinterpret_cast<const char*>(der), static_cast<size_t>(size));
}

std::vector<PemBlock> ReadPem(std::string_view pem) {
  std::vector<PemBlock> blocks;
  const Openssl<BIO> text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  for (PemBlock block; NextBlock(*text, block);) blocks.push_back(std::move(block));
  return blocks;
}

base::Result<std::vector<Openssl<X509>>> ReadCertificates(std::string_view pem) {
  std::vector<Openssl<X509>> found;
  for (const PemBlock& block : ReadPem(pem)) {
    if (block.type != "CERTIFICATE" || !block.headers.empty()) continue;
    found.push_back(ReadDer(block.bytes));
    if (!found.back()) return base::Fail("x509: malformed certificate");
  }
  if (found.empty()) return base::Fail("data does not contain any valid RSA or ECDSA certificates");
  return found;
}

std::string SubjectDerOf(const X509& certificate) {
  const unsigned char* bytes = nullptr;
  size_t size = 0;
  X509_NAME_get0_der(X509_get_subject_name(&certificate), &bytes, &size);
  return {reinterpret_cast<const char*>(bytes), size};
}

std::chrono::system_clock::time_point TimeOf(const ASN1_TIME& time) {
  using Clock = std::chrono::system_clock;
  constexpr auto kLast = std::chrono::duration_cast<std::chrono::seconds>(Clock::time_point::max().time_since_epoch());
  tm parts{};
  ASN1_TIME_to_tm(&time, &parts);
  const std::chrono::seconds seconds(timegm(&parts));
  return Clock::time_point(std::clamp(seconds, -kLast, kLast));  // RFC 5280's "no end" is in the year 9999
}

std::vector<std::string> SubjectValues(const X509& certificate, const ASN1_OBJECT& attribute) {
  std::vector<std::string> values;
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  for (int i = -1; (i = X509_NAME_get_index_by_OBJ(subject, &attribute, i)) >= 0;) {
    values.push_back(Utf8Of(*X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, i))));
  }
  return values;
}

std::string CommonNameOf(const X509& certificate) {
  const std::vector<std::string> names = SubjectValues(certificate, *OBJ_nid2obj(NID_commonName));
  return names.empty() ? std::string() : names.back();
}

std::vector<std::string> DnsNamesOf(const X509& certificate) {
  std::vector<std::string> names;
  const Openssl<GENERAL_NAMES> all(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all.get(), i);
    if (name->type == GEN_DNS) names.push_back(Utf8Of(*name->d.dNSName));
  }
  return names;
}

std::string OpensslReason() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* text = ERR_reason_error_string(code);
  return text == nullptr ? "unknown error" : text;
}

}  // namespace berth::http
