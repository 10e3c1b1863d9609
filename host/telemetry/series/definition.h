// What a plugin says about a family of metrics, and the mistakes in it. The ABI: berth/metrics.h.
// Thread: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::series {

enum class Kind : uint8_t { kCounter, kGauge, kHistogram };

struct Definition {
  std::string name;
  Kind kind = Kind::kCounter;
  std::string help;
  std::vector<std::string> labels;  // names, in the order of the plugin
  std::vector<double> buckets;      // upper bounds without +Inf, of histograms only
  bool operator==(const Definition&) const = default;
};

struct Limits {
  size_t families = 0;  // of a plugin
  size_t series = 0;    // of a family, without the one for overflow
  size_t labels = 0, buckets = 0;
  size_t name = 0, help = 0, value = 0;  // bytes
};

// What all labels of the series for overflow have as their value.
inline constexpr std::string_view kOverflowValue = "overflow";

// "labels[1]: \"le\" is ..."; "": there is none.
std::string MistakeIn(const Definition& definition, const Limits& limits);

// Whether text may be the value of a label: Prometheus refuses a whole page with invalid UTF-8.
bool IsLabelValue(std::string_view text, const Limits& limits);

// "berth_custom_PLUGIN_name".
std::string CustomName(std::string_view plugin, std::string_view name);

}  // namespace berth::series
