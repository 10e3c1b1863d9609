/* BP-110: defines a counter whose name Prometheus does not accept, and ignores that the host refuses it. */
#include "../runtime/at_work.h"

#include "berth/metrics.h"

static berth_status init(berth_plugin* p) {
  const berth_metrics* metrics = (const berth_metrics*)at_work_host->service(at_work_host, BERTH_SERVICE_METRICS);
  static const berth_metric_spec spec = {
      sizeof(berth_metric_spec), BERTH_METRIC_COUNTER, {"pods-total", 10}, {"Pods.", 5}, {0, 0, 0}, {0, 0, 0}};
  (void)p;
  if (metrics) metrics->add(metrics->series(at_work_host, metrics->family(at_work_host, &spec), 0, 0), 1);
  return BERTH_SUCCESS;
}
AT_WORK_PASSING("MisnamesItsMetrics", init)
