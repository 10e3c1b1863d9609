// SHA-256 digests, as configuration pins them and as loaded libraries are told apart: 64 lower-case hex digits.
// Called by the loader and by config. Thread: any; nothing is kept.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace berth::crypto {

// Aborts when OpenSSL has no SHA-256 or no memory: nothing sensible can be decided without it.
std::string Sha256Hex(std::span<const std::byte> bytes);

// What people write for a digest: 64 hex digits, capitals or not, with or without "sha256:" before. As lower-case
// digits alone; nullopt: it is something else.
std::optional<std::string> ReadSha256(std::string_view text);

// Is text 64 lower-case hex digits?
bool IsSha256Hex(std::string_view text);

// Equal in length and content, in a time that depends on the lengths only.
bool DigestsEqual(std::string_view a, std::string_view b);

}  // namespace berth::crypto
