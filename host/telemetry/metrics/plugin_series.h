// The families of plugins on the page of a registry. Includes prometheus-cpp's types by name only.
// Thread: as each function says.
#pragma once

#include <vector>

#include "telemetry/series/plugin_families.h"

namespace prometheus {
struct MetricFamily;
}

namespace berth::metrics {

// The families of kube-scheduler that its plugins record, and that plugins find by name (BERTH_KUBE_* in
// berth/metrics.h). Before the first plugin; any thread.
void ShareKubeFamilies(series::PluginFamilies& families);

// What the families contain now, for the text format. Any thread.
void AppendPluginSeries(const series::PluginFamilies& families, std::vector<prometheus::MetricFamily>& out);

}  // namespace berth::metrics
