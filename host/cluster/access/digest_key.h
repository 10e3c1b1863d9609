// The key of a cache entry: the SHA-256 of a text, which may be long and is not stored. Thread: any.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "os/crypto/digest.h"

namespace berth::access {

inline std::string DigestKey(std::string_view text) {
  return crypto::Sha256Hex(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace berth::access
