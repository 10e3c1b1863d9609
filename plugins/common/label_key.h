// Validates a label key in args with the error texts of field validation; no errors: valid. Source:
// k8s.io/apimachinery/pkg/api/validate/content/{kube,dns}.go IsLabelKey, IsDNS1123Subdomain. Thread: any.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace plugins {

namespace label_key {

inline bool IsLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
inline bool IsAlphanumeric(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }

inline bool IsName(std::string_view name) {
  const auto is_inner = [](char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  return !name.empty() && IsAlphanumeric(name.front()) && IsAlphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(), is_inner);
}

// Labels joined by dots, each starting and ending with a lowercase letter or a digit.
inline bool IsDomain(std::string_view domain) {
  const auto is_inner = [](char c) { return IsLower(c) || c == '-'; };
  for (;;) {
    const std::string_view label = domain.substr(0, domain.find('.'));
    if (label.empty() || !IsLower(label.front()) || !IsLower(label.back())) return false;
    if (!std::all_of(label.begin(), label.end(), is_inner)) return false;
    if (label.size() == domain.size()) return true;
    domain.remove_prefix(label.size() + 1);
  }
}

}  // namespace label_key

inline std::vector<std::string> LabelKeyErrors(std::string_view key) {
  static constexpr std::string_view kName =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
      "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  static constexpr std::string_view kPrefix =
      "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
      "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  const auto slashes = std::count(key.begin(), key.end(), '/');
  if (slashes > 1) {
    return {"a valid label key " + std::string(kName) +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  std::vector<std::string> errors;
  if (slashes == 1) {
    const std::string_view prefix = key.substr(0, key.find('/'));
    if (prefix.empty()) errors.emplace_back("prefix part must be non-empty");
    if (prefix.size() > 253) errors.emplace_back("prefix part must be no more than 253 bytes");
    if (!prefix.empty() && !label_key::IsDomain(prefix)) errors.emplace_back(kPrefix);
    key.remove_prefix(prefix.size() + 1);
  }
  if (key.empty()) errors.emplace_back("name part must be non-empty");
  if (key.size() > 63) errors.emplace_back("name part must be no more than 63 bytes");
  if (!label_key::IsName(key)) errors.emplace_back("name part " + std::string(kName));
  return errors;
}

}  // namespace plugins
