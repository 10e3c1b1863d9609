#include "telemetry/metrics/text_format.h"

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <tuple>

namespace berth::metrics {
namespace {

using Series = prometheus::ClientMetric;

std::string Escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
  return out;
}

void AppendLabel(std::string_view name, std::string_view value, std::string& out) {
  out += out.back() == '{' ? "" : ",";
  out.append(name).append("=\"").append(Escaped(value, true)).append("\"");
}

// le: the bound of a bucket; "": none.
void AppendSample(const std::string& name, const Series& series, std::string_view le, double value, std::string& out) {
  out += name;
  if (!series.label.empty() || !le.empty()) {
    out += '{';
    for (const auto& label : series.label) AppendLabel(label.name, label.value, out);
    if (!le.empty()) AppendLabel("le", le, out);
    out += '}';
  }
  out.append(" ").append(FormatNumber(value)).append("\n");
}

void AppendHistogram(const std::string& name, const Series& series, std::string& out) {
  const prometheus::ClientMetric::Histogram& histogram = series.histogram;
  for (const auto& bucket : histogram.bucket) {
    AppendSample(name + "_bucket", series, FormatNumber(bucket.upper_bound),
                 static_cast<double>(bucket.cumulative_count), out);
  }
  AppendSample(name + "_sum", series, "", histogram.sample_sum, out);
  AppendSample(name + "_count", series, "", static_cast<double>(histogram.sample_count), out);
}

const char* TypeName(prometheus::MetricType type) {
  switch (type) {
    case prometheus::MetricType::Counter: return "counter";
    case prometheus::MetricType::Gauge: return "gauge";
    case prometheus::MetricType::Histogram: return "histogram";
    default: return "untyped";
  }
}

void Sort(std::vector<Series>& all) {
  const auto by_name = [](const auto& x, const auto& y) { return x.name < y.name; };
  for (Series& one : all) std::sort(one.label.begin(), one.label.end(), by_name);
  std::sort(all.begin(), all.end(), [](const Series& a, const Series& b) {
    return std::lexicographical_compare(
        a.label.begin(), a.label.end(), b.label.begin(), b.label.end(),
        [](const auto& x, const auto& y) { return std::tie(x.name, x.value) < std::tie(y.name, y.value); });
  });
}

}  // namespace

std::string FormatNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific);
  const std::string_view text(digits.data(), static_cast<size_t>(end.ptr - digits.data()));
  int exponent = 0;
  const size_t e = text.find('e');
  const char* const number = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(number, text.data() + text.size(), exponent);
  // Outside of these exponents strconv writes %e, with at least two digits of the exponent, as to_chars does.
  if (exponent < -4 || exponent >= 6) return std::string(text);
  std::array<char, 64> fixed{};
  const auto plain = std::to_chars(fixed.data(), fixed.data() + fixed.size(), value, std::chars_format::fixed);
  return std::string(fixed.data(), plain.ptr);
}

void AppendFamily(prometheus::MetricFamily& family, std::string& out) {
  if (family.metric.empty()) return;
  Sort(family.metric);
  out.append("# HELP ").append(family.name).append(" ").append(Escaped(family.help, false)).append("\n");
  out.append("# TYPE ").append(family.name).append(" ").append(TypeName(family.type)).append("\n");
  for (const Series& series : family.metric) {
    switch (family.type) {
      case prometheus::MetricType::Counter: AppendSample(family.name, series, "", series.counter.value, out); break;
      case prometheus::MetricType::Histogram: AppendHistogram(family.name, series, out); break;
      default: AppendSample(family.name, series, "", series.gauge.value, out); break;
    }
  }
}

}  // namespace berth::metrics
