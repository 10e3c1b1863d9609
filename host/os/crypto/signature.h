// Detached ed25519 signatures (RFC 8032, pure) in the format of `openssl pkeyutl -sign -rawin`. They prove that the
// owner of a trusted key released a library. Callers: config, which reads keys, and the loader. Thread: any; nothing is
// kept.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"

namespace berth::crypto {

using Ed25519Key = std::array<std::byte, 32>;  // a public key

inline constexpr size_t kEd25519SignatureSize = 64;  // bytes

// Reads the key from a PEM text ("-----BEGIN PUBLIC KEY-----") in the format of `openssl pkey -pubout`. The error says
// why the text is no key, also when it is a private key.
base::Result<Ed25519Key> ReadEd25519Key(std::string_view pem);

// Also false for a signature of another length.
bool VerifiesEd25519(const Ed25519Key& key, std::span<const std::byte> message, std::span<const std::byte> signature);

}  // namespace berth::crypto
