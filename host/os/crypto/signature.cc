#include "os/crypto/signature.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

namespace berth::crypto {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

const unsigned char* Bytes(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

}  // namespace

base::Result<Ed25519Key> ReadEd25519Key(std::string_view pem) {
  if (pem.find("PRIVATE KEY") != std::string_view::npos)
    return base::Fail("is a private key; only its public part belongs here");
  const Owned<BIO> text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Owned<EVP_PKEY> key(text ? PEM_read_bio_PUBKEY(text.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!key) return base::Fail("must be a public key in PEM (-----BEGIN PUBLIC KEY-----)");
  Ed25519Key raw;
  size_t size = raw.size();
  if (EVP_PKEY_base_id(key.get()) != EVP_PKEY_ED25519 ||
      EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char*>(raw.data()), &size) != 1) {
    return base::Fail("must be an ed25519 key");
  }
  return raw;
}

bool VerifiesEd25519(const Ed25519Key& key, std::span<const std::byte> message, std::span<const std::byte> signature) {
  const Owned<EVP_PKEY> loaded(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, Bytes(key.data()), key.size()));
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  return loaded && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, loaded.get()) == 1 &&
         EVP_DigestVerify(context.get(), Bytes(signature.data()), signature.size(), Bytes(message.data()),
                          message.size()) == 1;
}

}  // namespace berth::crypto
