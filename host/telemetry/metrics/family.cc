#include "telemetry/metrics/family.h"

namespace berth::metrics {

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kCounter: return "counter";
    case Kind::kGauge: return "gauge";
    case Kind::kHistogram: return "histogram";
  }
  return "";
}

std::string_view StabilityName(Stability stability) {
  switch (stability) {
    case Stability::kNone: return "";
    case Stability::kAlpha: return "ALPHA";
    case Stability::kBeta: return "BETA";
    case Stability::kStable: return "STABLE";
  }
  return "";
}

std::string HelpText(const Family& family) {
  if (family.stability == Stability::kNone) return family.help;
  return "[" + std::string(StabilityName(family.stability)) + "] " + family.help;
}

std::vector<double> ExponentialBuckets(double start, double factor, int count) {
  std::vector<double> buckets;
  for (int i = 0; i < count; ++i, start *= factor) buckets.push_back(start);
  return buckets;
}

}  // namespace berth::metrics
