// Detached ed25519 signatures (RFC 8032, pure), as `openssl pkeyutl -sign -rawin` makes them: proof that a library was
// released by whom the configuration trusts. Called by config, which reads keys, and by the loader. Thread: any;
// nothing is kept.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"

namespace berth::crypto {

using Ed25519Key = std::array<std::byte, 32>;  // a public key

inline constexpr size_t kEd25519SignatureSize = 64;  // bytes

// The key in a PEM text ("-----BEGIN PUBLIC KEY-----"), as `openssl pkey -pubout` writes it. The error says why it is
// none, and of a private key that it is one.
base::Result<Ed25519Key> ReadEd25519Key(std::string_view pem);

// False as well for a signature of another length.
bool VerifiesEd25519(const Ed25519Key& key, std::span<const std::byte> message, std::span<const std::byte> signature);

}  // namespace berth::crypto
