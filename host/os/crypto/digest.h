// SHA-256 digests, with which the configuration pins libraries and the loader compares them: 64 lower-case hex digits.
// Thread: any; nothing is kept.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace berth::crypto {

// Aborts when OpenSSL has no SHA-256 or no memory.
std::string Sha256Hex(std::span<const std::byte> bytes);

// Parses a digest of a user: 64 hex digits in upper or lower case, with or without the prefix "sha256:". Returns the
// lower-case digits; nullopt: text is no digest.
std::optional<std::string> ReadSha256(std::string_view text);

// Whether text consists of 64 lower-case hex digits.
bool IsSha256Hex(std::string_view text);

// Compares length and content, in a time that depends only on the lengths.
bool DigestsEqual(std::string_view a, std::string_view b);

}  // namespace berth::crypto
