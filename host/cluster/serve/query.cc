#include "cluster/serve/query.h"

#include <algorithm>
#include <optional>

#include "codec/text/percent.h"

namespace berth::serve {
namespace {

// A '+' is a space.
std::optional<std::string> DecodedParameter(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return text::PercentDecoded(spaced);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    const auto key = DecodedParameter(pair.substr(0, equals));
    const auto value = DecodedParameter(pair.substr(std::min(equals + 1, pair.size())));
    if (key && value) pairs.emplace_back(*key, *value);
  }
  return pairs;
}

std::string DecodePath(std::string_view path) { return text::PercentDecoded(path).value_or(std::string(path)); }

}  // namespace berth::serve
