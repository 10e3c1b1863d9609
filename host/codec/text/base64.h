// Base64 of Go's encoding/base64 StdEncoding (RFC 4648, padded; the decoder skips line breaks). Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::text {

// Error: "illegal base64 data at input byte N".
base::Result<std::string> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view bytes);

}  // namespace berth::text
