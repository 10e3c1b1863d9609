#include "cluster/explain/query_parameters.h"

#include <charconv>

namespace berth::explain {

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

uint64_t Parameters::Number(std::string_view name, uint64_t otherwise, uint64_t least, uint64_t greatest) {
  const std::string* text = Take(name);
  if (text == nullptr) return otherwise;
  const std::optional<uint64_t> number = ParseNumber(*text);
  if (number && *number >= least && *number <= greatest) return *number;
  error_ = std::string(name) + ": \"" + *text + "\" is not a number from " + std::to_string(least) + " to " +
           std::to_string(greatest);
  return otherwise;
}

bool Parameters::Flag(std::string_view name) {
  const std::string* text = Take(name);
  if (text == nullptr || *text == "0" || *text == "false") return false;
  if (text->empty() || *text == "1" || *text == "true") return true;
  error_ = std::string(name) + ": \"" + *text + "\" is neither 0 nor 1";
  return false;
}

std::string Parameters::Text(std::string_view name) {
  const std::string* text = Take(name);
  return text == nullptr ? "" : *text;
}

std::vector<std::string> Parameters::Texts(std::string_view name) {
  std::vector<std::string> texts;
  while (const std::string* text = Take(name)) texts.push_back(*text);
  return texts;
}

decisions::Filter Parameters::Filter() {
  decisions::Filter filter{.pod = Text("pod"), .profile = Text("profile"), .with_nodes = Flag("withNodes")};
  const std::string result = Text("result");
  filter.result = decisions::ResultOf(result);
  if (!result.empty() && !filter.result)
    error_ = "result: \"" + result + "\" is none of Scheduled, Unschedulable, Error";
  return filter;
}

ListRequest Parameters::List() {
  return {.limit = Number("limit", 100, 1, 1000),
          .before = Number("before", UINT64_MAX, 0, UINT64_MAX),
          .after = Number("after", 0, 0, UINT64_MAX),
          .filter = Filter()};
}

std::string Parameters::Error() const {
  if (!error_.empty()) return error_;
  for (const auto& [name, value] : pairs_) {
    if (!name.empty()) return "unknown or repeated parameter \"" + name + "\"";
  }
  return "";
}

const std::string* Parameters::Take(std::string_view name) {
  for (auto& [key, value] : pairs_) {
    if (key != name) continue;
    key.clear();
    return &value;
  }
  return nullptr;
}

}  // namespace berth::explain
