// Prometheus' text format 0.0.4, to the byte as Go's github.com/prometheus/common/expfmt writes it: numbers in the
// shortest form, labels in order of their names, le last. Thread: pure functions.
#pragma once

#include <string>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace berth::metrics {

// "1", "0.256", "1.5e-05", "1e+06", "+Inf", "NaN": as strconv.FormatFloat(value, 'g', -1, 64).
std::string FormatNumber(double value);

// Appends the family, with HELP and TYPE. Series are sorted by labels; a family without series writes nothing.
void AppendFamily(prometheus::MetricFamily& family, std::string& out);

}  // namespace berth::metrics
