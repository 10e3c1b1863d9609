#include "telemetry/metrics/family_selection.h"

namespace berth::metrics {
namespace {

// As Go's strings.Split: "" is one empty value.
std::set<std::string> SplitValues(std::string_view text) {
  std::set<std::string> values;
  for (size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    values.emplace(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  values.emplace(text);
  return values;
}

}  // namespace

Selection::Selection(const std::vector<std::string>& disabled, const std::map<std::string, std::string>& allowed) {
  for (const std::string& name : disabled) {
    if (!name.empty()) disabled_.insert(name);
  }
  for (const auto& [key, values] : allowed) {
    const size_t comma = key.find(',');
    if (comma == std::string::npos) continue;
    allowed_[key.substr(0, comma)][key.substr(comma + 1)] = SplitValues(values);
  }
}

size_t Selection::Constrain(std::string_view family, Labels& labels) const {
  const auto lists = allowed_.find(family);
  if (lists == allowed_.end()) return 0;
  size_t replaced = 0;
  for (auto& [name, value] : labels) {
    const auto list = lists->second.find(name);
    if (list == lists->second.end() || list->second.count(value) > 0) continue;
    value = "unexpected";
    ++replaced;
  }
  return replaced;
}

}  // namespace berth::metrics
