#include "telemetry/series/definition.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "codec/json/utf8.h"

namespace berth::series {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// [a-zA-Z_][a-zA-Z0-9_]*
bool IsMetricWord(std::string_view text) {
  return !text.empty() && !base::IsDigit(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLetter(c) || base::IsDigit(c) || c == '_'; });
}

std::string MistakeInWord(std::string_view text, const Limits& limits) {
  if (text.size() > limits.name) return "has more than " + std::to_string(limits.name) + " bytes";
  if (!IsMetricWord(text)) return base::Quoted(text) + " must consist of letters, digits, and _, without a digit first";
  return "";
}

std::string MistakeInName(std::string_view name, const Limits& limits) {
  for (const std::string_view suffix : {"_bucket", "_sum", "_count"}) {
    if (name.ends_with(suffix)) {
      return base::Quoted(name) + " must not end with " + std::string(suffix) + ", as series of a histogram do";
    }
  }
  return MistakeInWord(name, limits);
}

std::string MistakeInHelp(std::string_view help, const Limits& limits) {
  if (help.empty()) return "must not be empty";
  if (help.size() > limits.help) return "has more than " + std::to_string(limits.help) + " bytes";
  return json::IsUtf8(help) ? "" : "must be UTF-8";
}

std::string MistakeInLabel(const std::vector<std::string>& labels, size_t i, const Limits& limits) {
  const std::string& label = labels[i];
  if (std::string mistake = MistakeInWord(label, limits); !mistake.empty()) return mistake;
  if (label == "le" || label.starts_with("__")) return base::Quoted(label) + " is reserved by Prometheus";
  const auto before = labels.begin() + static_cast<std::ptrdiff_t>(i);
  return std::find(labels.begin(), before, label) == before ? "" : base::Quoted(label) + " is there twice";
}

std::string MistakeInBuckets(const Definition& definition, const Limits& limits) {
  const std::vector<double>& buckets = definition.buckets;
  if (definition.kind != Kind::kHistogram) return buckets.empty() ? "" : "only a histogram has buckets";
  if (buckets.empty()) return "must not be empty for a histogram";
  if (buckets.size() > limits.buckets) return "has more than " + std::to_string(limits.buckets) + " bounds";
  if (!std::all_of(buckets.begin(), buckets.end(), [](double bound) { return std::isfinite(bound); })) {
    return "must be finite; the host adds +Inf";
  }
  const auto not_above = [](double a, double b) { return b <= a; };
  return std::adjacent_find(buckets.begin(), buckets.end(), not_above) == buckets.end() ? "" : "must ascend";
}

std::string Field(std::string field, const std::string& mistake) {
  return mistake.empty() ? "" : std::move(field) + ": " + mistake;
}

}  // namespace

std::string MistakeIn(const Definition& definition, const Limits& limits) {
  if (std::string mistake = MistakeInName(definition.name, limits); !mistake.empty()) return Field("name", mistake);
  if (std::string mistake = MistakeInHelp(definition.help, limits); !mistake.empty()) return Field("help", mistake);
  if (definition.labels.size() > limits.labels) {
    return Field("labels", "has more than " + std::to_string(limits.labels) + " names");
  }
  for (size_t i = 0; i < definition.labels.size(); ++i) {
    const std::string mistake = MistakeInLabel(definition.labels, i, limits);
    if (!mistake.empty()) return Field("labels[" + std::to_string(i) + "]", mistake);
  }
  return Field("buckets", MistakeInBuckets(definition, limits));
}

bool IsLabelValue(std::string_view text, const Limits& limits) {
  return text.size() <= limits.value && json::IsUtf8(text);
}

std::string CustomName(std::string_view plugin, std::string_view name) {
  std::string full = "berth_custom_";
  for (const char c : plugin) full += IsLetter(c) || base::IsDigit(c) ? c : '_';
  return full.append("_").append(name);
}

}  // namespace berth::series
