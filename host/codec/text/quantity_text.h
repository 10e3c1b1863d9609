// Quantities as Kubernetes writes them: the shortest text without a fraction, with the suffixes that the quantity was
// read with. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go CanonicalizeBytes, suffix.go. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/quantity.h"

namespace berth::text {

enum class QuantityFormat : uint8_t {
  kDecimalSi,        // "100m", "4", "2G"
  kBinarySi,         // "1536Mi"; values below 1024 have decimal suffixes
  kDecimalExponent,  // "12e6"
};

// The format of the text of a valid quantity. Quotes and blanks around it do not count.
QuantityFormat FormatOfQuantity(std::string_view text);

// |quantity| is at most 2^63-1 units.
std::string QuantityText(base::Quantity quantity, QuantityFormat format);

}  // namespace berth::text
