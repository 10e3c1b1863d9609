// The text of a quantity in a JSON document, which may be a number without quotes: Go reads a number as its text.
// Source: Quantity.UnmarshalJSON of k8s.io/apimachinery/pkg/api/resource. Pure; thread: any.
#pragma once

#include <berth/value.hpp>

#include <charconv>
#include <string>

namespace plugins {

// Empty: it is neither a text nor a number.
inline std::string QuantityText(const berth::sdk::Value& quantity) {
  if (!quantity.is_number()) return std::string(quantity.AsString());
  if (quantity.is_int()) return std::to_string(quantity.AsInt());
  char digits[40];  // the shortest text of a double has at most 24
  return {digits, std::to_chars(digits, digits + sizeof digits, quantity.AsNumber()).ptr};
}

}  // namespace plugins
