#include "config/label_syntax.h"

#include <algorithm>

namespace berth::config {
namespace {

constexpr size_t kNameLength = 63;
constexpr size_t kSubdomainLength = 253;
constexpr std::string_view kNameRegex = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kSubdomainRegex = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsLetterOrDigit(char c) { return IsLowerOrDigit(c) || (c >= 'A' && c <= 'Z'); }

bool MatchesName(std::string_view text) {
  if (text.empty() || !IsLetterOrDigit(text.front()) || !IsLetterOrDigit(text.back())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

bool MatchesDnsLabel(std::string_view text) {
  if (text.empty() || !IsLowerOrDigit(text.front()) || !IsLowerOrDigit(text.back())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

bool MatchesSubdomain(std::string_view text) {
  for (size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!MatchesDnsLabel(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return MatchesDnsLabel(text);
}

std::string TooLong(size_t limit) { return "must be no more than " + std::to_string(limit) + " bytes"; }

std::string WithExamples(std::string_view rule, std::string_view examples, std::string_view regex) {
  return std::string(rule) + " (e.g. " + std::string(examples) + ", regex used for validation is '" +
         std::string(regex) + "')";
}

std::string NameRule() {
  return WithExamples(
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character",
      "'MyName',  or 'my.name',  or '123-abc'", kNameRegex);
}

std::vector<std::string> PrefixFaults(std::string_view prefix) {
  if (prefix.empty()) return {"prefix part must be non-empty"};
  std::vector<std::string> faults;
  if (prefix.size() > kSubdomainLength) faults.push_back("prefix part " + TooLong(kSubdomainLength));
  if (!MatchesSubdomain(prefix)) {
    faults.push_back("prefix part " +
                     WithExamples("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                                  "characters, '-' or '.', and must start and end with an alphanumeric "
                                  "character",
                                  "'example.com'", kSubdomainRegex));
  }
  return faults;
}

}  // namespace

std::vector<std::string> LabelKeyFaults(std::string_view key) {
  const size_t slash = key.find('/');
  if (slash != key.rfind('/')) {
    return {"a valid label key " + NameRule() +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  std::vector<std::string> faults;
  if (slash != std::string_view::npos) faults = PrefixFaults(key.substr(0, slash));
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (name.empty()) faults.emplace_back("name part must be non-empty");
  if (name.size() > kNameLength) faults.push_back("name part " + TooLong(kNameLength));
  if (!MatchesName(name)) faults.push_back("name part " + NameRule());
  return faults;
}

std::vector<std::string> LabelValueFaults(std::string_view value) {
  std::vector<std::string> faults;
  if (value.size() > kNameLength) faults.push_back(TooLong(kNameLength));
  if (!value.empty() && !MatchesName(value)) {
    faults.push_back(
        WithExamples("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
                     "'.', and must start and end with an alphanumeric character",
                     "'MyValue',  or 'my_value',  or '12345'", "(" + std::string(kNameRegex) + ")?"));
  }
  return faults;
}

bool IsExtendedResourceName(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
  constexpr std::string_view kQuotaPrefix = "requests.";
  return !native && !name.starts_with(kQuotaPrefix) &&
         LabelKeyFaults(std::string(kQuotaPrefix) + std::string(name)).empty();
}

}  // namespace berth::config
