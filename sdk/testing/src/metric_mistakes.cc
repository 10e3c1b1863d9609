#include "metric_mistakes.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "berth/metrics.h"

namespace berth::sdk::testing {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsNumeral(char c) { return c >= '0' && c <= '9'; }
std::string InQuotes(const std::string& text) { return "\"" + text + "\""; }
std::string MoreThan(uint32_t most, const char* what) { return "has more than " + std::to_string(most) + " " + what; }

std::string MistakeInWord(const std::string& text) {
  if (text.size() > BERTH_METRIC_MOST_NAME) return MoreThan(BERTH_METRIC_MOST_NAME, "bytes");
  const bool word = !text.empty() && !IsNumeral(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return IsLetter(c) || IsNumeral(c) || c == '_';
  });
  return word ? "" : InQuotes(text) + " must consist of letters, digits, and _, without a digit first";
}

std::string MistakeInName(const std::string& name) {
  for (const char* suffix : {"_bucket", "_sum", "_count"}) {
    if (name.ends_with(suffix)) {
      return InQuotes(name) + " must not end with " + suffix + ", as series of a histogram do";
    }
  }
  return MistakeInWord(name);
}

// The length of the UTF-8 sequence (RFC 3629) at the beginning of the text; 0: it is invalid.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto between = [&](size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return between(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = between(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && between(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead < 0xF0 || lead > 0xF4) return 0;
  const bool second = between(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
  return second && between(2, 0x80, 0xBF) && between(3, 0x80, 0xBF) ? 4 : 0;
}

bool IsText(std::string_view text) {
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string MistakeInHelp(const std::string& help) {
  if (help.empty()) return "must not be empty";
  if (help.size() > BERTH_METRIC_MOST_HELP) return MoreThan(BERTH_METRIC_MOST_HELP, "bytes");
  return IsText(help) ? "" : "must be UTF-8";
}

std::string MistakeInLabel(const Texts& labels, size_t i) {
  if (std::string mistake = MistakeInWord(labels[i]); !mistake.empty()) return mistake;
  if (labels[i] == "le" || labels[i].starts_with("__")) return InQuotes(labels[i]) + " is reserved by Prometheus";
  const auto before = labels.begin() + static_cast<std::ptrdiff_t>(i);
  return std::find(labels.begin(), before, labels[i]) == before ? "" : InQuotes(labels[i]) + " is there twice";
}

std::string MistakeInBuckets(uint32_t kind, const std::vector<double>& buckets) {
  if (kind != BERTH_METRIC_HISTOGRAM) return buckets.empty() ? "" : "only a histogram has buckets";
  if (buckets.empty()) return "must not be empty for a histogram";
  if (buckets.size() > BERTH_METRIC_MOST_BUCKETS) return MoreThan(BERTH_METRIC_MOST_BUCKETS, "bounds");
  if (!std::all_of(buckets.begin(), buckets.end(), [](double bound) { return std::isfinite(bound); })) {
    return "must be finite; the host adds +Inf";
  }
  const auto not_above = [](double a, double b) { return b <= a; };
  return std::adjacent_find(buckets.begin(), buckets.end(), not_above) == buckets.end() ? "" : "must ascend";
}

std::string AtField(const std::string& field, const std::string& mistake) {
  return mistake.empty() ? "" : field + ": " + mistake;
}

}  // namespace

std::string MistakeIn(const MetricDefinition& definition) {
  if (definition.kind < BERTH_METRIC_COUNTER || definition.kind > BERTH_METRIC_HISTOGRAM) {
    return "kind: " + std::to_string(definition.kind) + " is none of BERTH_METRIC_*";
  }
  if (std::string mistake = MistakeInName(definition.name); !mistake.empty()) return AtField("name", mistake);
  if (std::string mistake = MistakeInHelp(definition.help); !mistake.empty()) return AtField("help", mistake);
  if (definition.labels.size() > BERTH_METRIC_MOST_LABELS) {
    return AtField("labels", MoreThan(BERTH_METRIC_MOST_LABELS, "names"));
  }
  for (size_t i = 0; i < definition.labels.size(); ++i) {
    const std::string mistake = MistakeInLabel(definition.labels, i);
    if (!mistake.empty()) return AtField("labels[" + std::to_string(i) + "]", mistake);
  }
  return AtField("buckets", MistakeInBuckets(definition.kind, definition.buckets));
}

bool AreLabelValues(const Texts& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const std::string& value) { return value.size() <= BERTH_METRIC_MOST_VALUE && IsText(value); });
}

}  // namespace berth::sdk::testing
