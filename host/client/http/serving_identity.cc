#include "client/http/serving_identity.h"

#include <algorithm>

#include "base/text.h"
#include "client/http/endpoint.h"
#include "client/http/server_tls.h"

namespace berth::http {
namespace {

bool IsKey(const std::string& type) { return type == "PRIVATE KEY" || type.ends_with(" PRIVATE KEY"); }

std::vector<std::string> TypesOf(const std::vector<PemBlock>& blocks) {
  std::vector<std::string> types;
  for (const PemBlock& block : blocks) types.push_back(block.type);
  return types;
}

std::string NoCertificate(const std::vector<std::string>& types) {
  if (types.empty()) return "tls: failed to find any PEM data in certificate input";
  if (types.size() == 1 && IsKey(types.front())) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may "
           "have been switched";
  }
  return "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the "
         "following "
         "types: " +
         base::Bracketed(types);
}

std::string NoKey(const std::vector<std::string>& types) {
  if (types.empty()) return "tls: failed to find any PEM data in key input";
  if (types.size() == 1 && types.front() == "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping PEM blocks of "
         "the following types: " +
         base::Bracketed(types);
}

base::Result<void> ReadChain(const std::string& pem, ServingIdentity& identity) {
  const std::vector<PemBlock> blocks = ReadPem(pem);
  for (const PemBlock& block : blocks) {
    if (block.type != "CERTIFICATE") continue;
    Openssl<X509> one = ReadDer(block.bytes);
    if (!one) return base::Fail("x509: malformed certificate");
    if (!identity.certificate) {
      identity.certificate = std::move(one);
    } else {
      sk_X509_push(identity.signers.get(), one.release());
    }
  }
  if (!identity.certificate) return base::Fail(NoCertificate(TypesOf(blocks)));
  return {};
}

base::Result<void> ReadKey(const std::string& pem, ServingIdentity& identity) {
  const std::vector<PemBlock> blocks = ReadPem(pem);
  const auto found =
      std::find_if(blocks.begin(), blocks.end(), [](const PemBlock& block) { return IsKey(block.type); });
  if (found == blocks.end()) return base::Fail(NoKey(TypesOf(blocks)));
  const auto* der = reinterpret_cast<const unsigned char*>(found->bytes.data());
  identity.key.reset(d2i_AutoPrivateKey(nullptr, &der, static_cast<long>(found->bytes.size())));
  ERR_clear_error();
  if (!identity.key) return base::Fail("tls: failed to parse private key");
  return {};
}

base::Result<void> Match(const ServingIdentity& identity) {
  const EVP_PKEY* own = X509_get0_pubkey(identity.certificate.get());  // null: it cannot be decoded
  const bool fits = own != nullptr && X509_check_private_key(identity.certificate.get(), identity.key.get()) == 1;
  ERR_clear_error();
  if (own == nullptr) return base::Fail("x509: malformed public key");
  if (fits) return {};
  const bool same_type = EVP_PKEY_get_base_id(own) == EVP_PKEY_get_base_id(identity.key.get());
  return base::Fail(same_type ? "tls: private key does not match public key"
                              : "tls: private key type does not match public key type");
}

bool IsLabelChar(char c) { return (c >= 'a' && c <= 'z') || base::IsDigit(c); }

bool IsLabel(std::string_view label) {
  return !label.empty() && label.size() <= 63 && IsLabelChar(label.front()) && IsLabelChar(label.back()) &&
         std::all_of(label.begin(), label.end(), [](char c) { return IsLabelChar(c) || c == '-'; });
}

// Source: k8s.io/apimachinery pkg/util/validation IsDNS1123Subdomain.
bool IsSubdomain(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  for (size_t dot; (dot = name.find('.')) != std::string_view::npos; name.remove_prefix(dot + 1)) {
    if (!IsLabel(name.substr(0, dot))) return false;
  }
  return IsLabel(name);
}

bool IsDomainPattern(std::string_view name) {
  return name == "*" || IsSubdomain(name.starts_with("*.") ? name.substr(2) : name);
}

}  // namespace

std::vector<std::string> ServingIdentity::Names() const {
  std::vector<std::string> names;
  std::string common_name = CommonNameOf(*certificate);
  if (!IsIpAddress(common_name) && IsDomainPattern(common_name)) names.push_back(std::move(common_name));
  for (std::string& name : DnsNamesOf(*certificate)) names.push_back(std::move(name));
  return names;
}

bool ServingIdentity::IsFor(const std::string& server_name) const {
  return X509_check_host(certificate.get(), server_name.data(), server_name.size(),
                         X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS, nullptr) == 1;
}

base::Result<ServingIdentity> ReadServingPair(const std::string& certificate_pem, const std::string& key_pem) {
  ServingIdentity identity;
  identity.signers.reset(sk_X509_new_null());
  if (auto read = ReadChain(certificate_pem, identity); !read) return tl::unexpected(read.error());
  if (auto read = ReadKey(key_pem, identity); !read) return tl::unexpected(read.error());
  if (auto matches = Match(identity); !matches) return tl::unexpected(matches.error());
  return identity;
}

base::Result<void> CheckServingPair(const std::string& certificate_pem, const std::string& key_pem) {
  auto identity = ReadServingPair(certificate_pem, key_pem);
  if (!identity) return tl::unexpected(identity.error());
  return {};
}

}  // namespace berth::http
