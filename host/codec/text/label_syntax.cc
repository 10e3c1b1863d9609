#include "codec/text/label_syntax.h"

#include <algorithm>

namespace berth::text {
namespace {

constexpr size_t kMaxName = 63;
constexpr size_t kMaxSubdomain = 253;

// Source of both: pkg/apis/core/v1/helper/helpers.go, IsExtendedResourceName.
constexpr std::string_view kNativeDomain = "kubernetes.io/";
constexpr std::string_view kQuotaPrefix = "requests.";

constexpr const char* kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr const char* kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsAlphanumeric(char c) { return IsLowerOrDigit(c) || (c >= 'A' && c <= 'Z'); }
bool IsNameChar(char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; }

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool MatchesName(std::string_view name) {
  return !name.empty() && IsAlphanumeric(name.front()) && IsAlphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(), IsNameChar);
}

// Lower-case labels with dots between them; each starts and ends with a letter or digit.
bool MatchesSubdomain(std::string_view text) {
  char before = '.';
  for (char c : text) {
    const bool edge = before == '.' || c == '.';
    if (!IsLowerOrDigit(c) && c != '-' && c != '.') return false;
    if (edge && (c == '-' || before == '-' || (c == '.' && before == '.'))) return false;
    before = c;
  }
  return before != '.' && before != '-';
}

std::string MaxLength(size_t n) { return "must be no more than " + std::to_string(n) + " bytes"; }

}  // namespace

bool IsLabelKey(std::string_view key) {
  const size_t slash = key.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view prefix = key.substr(0, slash);
    if (prefix.empty() || prefix.size() > kMaxSubdomain || !MatchesSubdomain(prefix)) return false;
    key.remove_prefix(slash + 1);
  }
  return key.size() <= kMaxName && MatchesName(key);  // a second slash is not valid in a name
}

bool IsLabelValue(std::string_view value) { return value.empty() || (value.size() <= kMaxName && MatchesName(value)); }

std::vector<std::string> LabelKeyErrors(std::string_view key) {
  std::vector<std::string> errors;
  const auto slashes = std::count(key.begin(), key.end(), '/');
  if (slashes > 1) {
    return {std::string("a valid label key ") + kNameRule +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  if (slashes == 1) {
    const std::string_view prefix = key.substr(0, key.find('/'));
    if (prefix.empty()) {
      errors.push_back("prefix part must be non-empty");
    } else {
      if (prefix.size() > kMaxSubdomain) errors.push_back("prefix part " + MaxLength(kMaxSubdomain));
      if (!MatchesSubdomain(prefix)) errors.push_back(std::string("prefix part ") + kSubdomainRule);
    }
    key.remove_prefix(prefix.size() + 1);
  }
  if (key.empty()) {
    errors.push_back("name part must be non-empty");
  } else if (key.size() > kMaxName) {
    errors.push_back("name part " + MaxLength(kMaxName));
  }
  if (!MatchesName(key)) errors.push_back(std::string("name part ") + kNameRule);
  return errors;
}

std::vector<std::string> LabelValueErrors(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kMaxName) errors.push_back(MaxLength(kMaxName));
  if (!value.empty() && !MatchesName(value)) errors.push_back(kValueRule);
  return errors;
}

bool IsExtendedResourceName(std::string_view name) {
  if (name.find('/') == std::string_view::npos || name.find(kNativeDomain) != std::string_view::npos ||
      name.starts_with(kQuotaPrefix)) {
    return false;
  }
  return IsLabelKey(std::string(kQuotaPrefix).append(name));
}

}  // namespace berth::text
