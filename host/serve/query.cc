#include "serve/query.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace berth::serve {
namespace {

std::optional<std::string> Decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      unsigned char byte = 0;
      const std::string_view digits = text.substr(i + 1, 2);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (error != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
      out += static_cast<char>(byte);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    const auto key = Decode(pair.substr(0, equals), true);
    const auto value = Decode(pair.substr(std::min(equals + 1, pair.size())), true);
    if (key && value) pairs.emplace_back(*key, *value);
  }
  return pairs;
}

std::string DecodePath(std::string_view path) { return Decode(path, false).value_or(std::string(path)); }

}  // namespace berth::serve
