// Percent-encoding of URLs (RFC 3986). Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::text {

// Appends text with all bytes encoded except letters, digits, '-', '.', '_' and '~'.
void AppendPercentEncoded(std::string& out, std::string_view text);
// Appends text with all bytes encoded.
void AppendAllEncoded(std::string& out, std::string_view text);
// nullopt when a '%' does not start an encoded byte.
std::optional<std::string> PercentDecoded(std::string_view text);
// A '%' that does not start an encoded byte stays.
std::string PercentDecodedLeniently(std::string_view text);

}  // namespace berth::text
