#include "cluster/election/identity.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"

namespace berth::election {
namespace {

constexpr size_t kUuidLength = 36;
bool IsDash(size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

bool IsUuid(std::string_view text) {
  if (text.size() != kUuidLength) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsDash(i) ? c != '-' : !base::IsDigit(c) && (c < 'a' || c > 'f')) return false;
  }
  return true;
}

}  // namespace

std::string NewUuid() {
  std::array<uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0f) | 0x40);  // version 4
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3f) | 0x80);  // variant of RFC 4122
  std::string text;
  for (const uint8_t byte : bytes) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", byte);
    if (IsDash(text.size())) text += '-';
    text += hex;
  }
  return text;
}

std::string NewIdentity(std::string_view hostname) { return std::string(hostname) + "_" + NewUuid(); }

bool IsIdentity(std::string_view text, std::string_view hostname) {
  if (!text.starts_with(hostname) || hostname.empty()) return false;
  text.remove_prefix(hostname.size());
  return text.starts_with('_') && IsUuid(text.substr(1));
}

std::string TakeIdentity(std::string_view hostname) {
  const char* passed = std::getenv(kIdentityVariable);
  std::string identity = passed == nullptr ? "" : passed;
  unsetenv(kIdentityVariable);
  return IsIdentity(identity, hostname) ? identity : NewIdentity(hostname);
}

}  // namespace berth::election
