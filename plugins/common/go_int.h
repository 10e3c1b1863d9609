// Whole numbers as Go's strconv.ParseInt reads them with base 10: a sign and digits, nothing else. Pure; thread: any.
#pragma once

#include <berth/args.hpp>

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <system_error>

namespace plugins {

// Sets `out` if the text is a number that fits. Otherwise returns the error's text, and `out` keeps its value. "": no
// error.
template <std::signed_integral N>
std::string ParseGoInt(std::string_view text, N& out) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const bool two_signs = digits.size() < text.size() && digits.starts_with('-');
  N number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = !two_signs && error != std::errc::invalid_argument && end == digits.data() + digits.size();
  const std::string what = "strconv.ParseInt: parsing " + berth::sdk::Quoted(text) + ": ";
  if (!whole) return what + "invalid syntax";
  if (error == std::errc::result_out_of_range) return what + "value out of range";
  out = number;
  return "";
}

}  // namespace plugins
