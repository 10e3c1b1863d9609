// Base64 as Go's encoding/base64 StdEncoding has it (RFC 4648, padded; line breaks are skipped on reading). Thread:
// any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::config {

// Error: "illegal base64 data at input byte N".
base::Result<std::string> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view bytes);

}  // namespace berth::config
