/* berth/metrics.h (since 1.2) - counters, gauges, and histograms of a plugin, on the page /metrics of the host.
 *
 * A family has a name, a kind, a help text, and the names of its labels. A series is a family with one value for each
 * label. Look both up once, and keep the series: a lookup takes a lock and about a microsecond, and recording into a
 * series takes a few nanoseconds, without a lock.
 *
 * Names: the host serves the family NAME of the plugin PLUGIN as berth_custom_PLUGIN_NAME. In PLUGIN every character
 * but letters and digits is an underscore. No family of the host begins with berth_custom_. PLUGIN is the name in the
 * library, so that two profiles, and two versions of a library, have the same families.
 *
 * Sums: counters and histograms are shared by all instances of a plugin. They do not go back when another instance, or
 * another version of the library, takes over, and stay on the page when the last instance ends. A gauge has a value for
 * each instance, and the host serves the sum. When an instance ends, its values go; a series of a gauge that no
 * instance has is not served. If another version of a library defines a family differently, the host serves the earlier
 * definition until the last instance that uses it has ended, and then the later one with what was recorded meanwhile.
 *
 * Bounds: BERTH_METRIC_MOST_*. Label values come from the cluster and have no bound of their own. A family has at most
 * BERTH_METRIC_MOST_SERIES series; a counter or histogram records all others, and values that are longer than
 * BERTH_METRIC_MOST_VALUE bytes or not UTF-8, into one series whose labels all have the value "overflow", so that
 * sums stay right. A gauge has no such series, because the sum of values that replace each other means nothing: all
 * others are not served. The host logs one warning for a family.
 *
 * Mistakes never fail a call. The host logs an error that names the plugin, the family, and the field, and answers
 * NULL. NULL is valid wherever a family or a series is expected, and does nothing. */
#ifndef BERTH_METRICS_H
#define BERTH_METRICS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_METRIC_COUNTER 1u
#define BERTH_METRIC_GAUGE 2u
#define BERTH_METRIC_HISTOGRAM 3u

#define BERTH_METRIC_MOST_FAMILIES 32u /* of a plugin */
#define BERTH_METRIC_MOST_SERIES 256u  /* of a family, without the one for overflow */
#define BERTH_METRIC_MOST_LABELS 8u
#define BERTH_METRIC_MOST_BUCKETS 32u
#define BERTH_METRIC_MOST_NAME 100u    /* bytes of a name of a family or label */
#define BERTH_METRIC_MOST_HELP 1000u   /* bytes */
#define BERTH_METRIC_MOST_VALUE 128u   /* bytes of the value of a label */

typedef struct berth_metric_spec {
  uint32_t size;
  uint32_t kind;      /* BERTH_METRIC_* */
  berth_str name;     /* "skipped_nodes_total": [a-zA-Z_][a-zA-Z0-9_]*, without _bucket, _sum, or _count at its end */
  berth_str help;     /* one sentence in UTF-8, not empty */
  berth_list labels;  /* berth_str, different names: [a-zA-Z_][a-zA-Z0-9_]*, not le, without __ at the beginning */
  berth_list buckets; /* double: of a histogram the upper bounds, ascending and finite, without +Inf; otherwise empty */
} berth_metric_spec;

typedef struct berth_metric_family berth_metric_family;
typedef struct berth_metric berth_metric; /* a series, as one instance records into it */

/* Families of kube-scheduler that its own plugins record. Any plugin that does the same work may record them. */
#define BERTH_KUBE_PREEMPTION_VICTIMS "scheduler_preemption_victims"
#define BERTH_KUBE_PREEMPTION_DURATION "scheduler_preemption_goroutines_duration_seconds"
#define BERTH_KUBE_PREEMPTION_EXECUTIONS "scheduler_preemption_goroutines_execution_total"
#define BERTH_KUBE_VOLUME_STAGE_ERRORS "scheduler_volume_scheduling_stage_error_total"

#define BERTH_SERVICE_METRICS "berth.host.metrics/1"
typedef struct berth_metrics {
  uint32_t size, rsv;
  /* [background] in init or activate: the family of this plugin with that definition. Valid until destroy returns. A
   * second call with the same definition returns the same family. NULL: the definition has a mistake, or the plugin has
   * too many families; the log says which. */
  const berth_metric_family *(*family)(const berth_host *host, const berth_metric_spec *spec);
  /* [background] in init or activate: a family of kube-scheduler, which the host defines. Valid until destroy returns.
   * NULL: this host does not have it. */
  const berth_metric_family *(*kube)(const berth_host *host, berth_str name);
  /* [any] The series with these values, n as many as the family has labels, in its order; it exists from now on, with
   * the value 0. Valid until destroy returns. NULL: the family is NULL or disabled, another n, or a gauge has too many
   * series. */
  berth_metric *(*series)(const berth_host *host, const berth_metric_family *family, const berth_str *values,
                          uint32_t n);
  /* [any] Lock-free. Of a gauge, or of a counter if by is not negative; by is finite. Otherwise nothing happens. */
  void (*add)(berth_metric *metric, double by);
  /* [any] Wait-free. Of a gauge; otherwise nothing happens. */
  void (*set)(berth_metric *metric, double value);
  /* [any] Lock-free. Of a histogram (value is finite); otherwise nothing happens. */
  void (*observe)(berth_metric *metric, double value);
} berth_metrics;
#ifdef __cplusplus
}
#endif
#endif
