package cluster

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
)

// notServed are the families, by prefix, that kube-scheduler serves in this scene and Berth does not. docs/metrics.md
// has the same list.
var notServed = map[string]string{
	"aggregator_discovery_":               "of the API server library; no scheduler uses it",
	"apiserver_":                          "of the API server library; no scheduler uses it",
	"go_c":                                "of the Go runtime",
	"go_gc_":                              "of the Go runtime",
	"go_godebug_":                         "of the Go runtime",
	"go_info":                             "of the Go runtime",
	"go_m":                                "of the Go runtime",
	"go_s":                                "of the Go runtime",
	"grpc_client_":                        "of the API server library; no scheduler uses it",
	"informer_":                           "of client-go's informers; Berth has berth_watch_broken_seconds",
	"leader_election_":                    "of leader election, which the test turns off",
	"rest_client_transport_":              "of client-go's cache of transports",
	"scheduler_batch_cache_flushed_total": "Berth does not batch",
	"scheduler_get_node_hint_duration_seconds":          "Berth does not batch",
	"scheduler_store_schedule_results_duration_seconds": "Berth does not batch",
	"workqueue_": "Berth has no workqueue",
}

type family struct {
	kind, help string
	labels     []string // sorted, without le
	buckets    []string // in order
}

var sample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? [^ ]+$`)
var label = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"`)

// readFamilies reads Prometheus' text format.
func readFamilies(text string) (map[string]*family, error) {
	families := map[string]*family{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if rest, found := strings.CutPrefix(line, "# HELP "); found {
			name, help, _ := strings.Cut(rest, " ")
			families[name] = &family{help: help}
			continue
		}
		if rest, found := strings.CutPrefix(line, "# TYPE "); found {
			name, kind, _ := strings.Cut(rest, " ")
			families[name].kind = kind
			continue
		}
		match := sample.FindStringSubmatch(line)
		if match == nil {
			return nil, fmt.Errorf("not a sample: %s", line)
		}
		name := match[1]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if short := strings.TrimSuffix(name, suffix); families[name] == nil && families[short] != nil {
				name = short
			}
		}
		f := families[name]
		if f == nil {
			return nil, fmt.Errorf("a sample before its family: %s", line)
		}
		for _, pair := range label.FindAllStringSubmatch(match[2], -1) {
			if to := &f.labels; pair[1] != "le" {
				if !slices.Contains(*to, pair[1]) {
					*to = append(*to, pair[1])
				}
			} else if !slices.Contains(f.buckets, pair[2]) {
				f.buckets = append(f.buckets, pair[2])
			}
		}
		slices.Sort(f.labels)
	}
	return families, nil
}

// everybodyReadsMetrics lets the test read them on the secure port of both schedulers.
func everybodyReadsMetrics(o *daemon.Options) {
	o.Extra = append(o.Extra, "--authorization-always-allow-paths=/healthz,/livez,/readyz,/metrics,/metrics/slis,/metrics/resources")
}

// samples are the lines of a family on the page /metrics.
func (w *world) samples(d *daemon.Daemon, family string) []string {
	w.t.Helper()
	status, text := w.ask(http.MethodGet, d.Secure+"/metrics")
	if status != http.StatusOK {
		w.t.Fatalf("GET /metrics: %d: %.300s", status, text)
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, family) {
			lines = append(lines, line)
		}
	}
	return lines
}

// metricsUnderLoad runs a scheduler of the kind, lets it bind some pods and reject one, and returns its families.
func metricsUnderLoad(t *testing.T, by daemon.Kind, path string) map[string]*family {
	w := newWorld(t, 2*time.Minute)
	w.kind = by
	w.nodes("node", 3)
	d := w.start(w.profile(fast), everybodyReadsMetrics)
	const pods = 100 // a tenth of them is sampled
	w.pods("pod", pods, cpu("10m"))
	w.atLeast(pods, time.Minute)
	w.pod("too-large", cpu("1000"))
	w.refused("too-large", "0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, "+
		"preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.")
	var families map[string]*family
	w.eventually(20*time.Second, func() error {
		status, text := w.ask(http.MethodGet, d.Secure+path)
		if status != http.StatusOK {
			return fmt.Errorf("GET %s: %d: %.300s", path, status, text)
		}
		var err error
		if families, err = readFamilies(text); err != nil {
			return err
		}
		if path == "/metrics" && families["scheduler_plugin_execution_duration_seconds"] == nil {
			return fmt.Errorf("the sampled durations are not there yet")
		}
		return nil
	})
	return families
}

func isNotServed(name string) bool {
	if strings.HasPrefix(name, "apiserver_delegated_") {
		return false
	}
	for prefix := range notServed {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// ofTheMixin are the metrics that the dashboard, the alerts, and the recording rules for the scheduler in
// github.com/kubernetes-monitoring/kubernetes-mixin read, with the labels that they select or group by. The dashboard also
// names scheduler_volume_scheduling_duration_seconds, which kube-scheduler 1.36 does not have.
var ofTheMixin = []string{
	`scheduler_scheduling_attempt_duration_seconds_bucket{.*le="`,
	`scheduler_scheduling_attempt_duration_seconds_count`,
	`scheduler_scheduling_algorithm_duration_seconds_bucket{.*le="`,
	`scheduler_scheduling_algorithm_duration_seconds_count`,
	`scheduler_pod_scheduling_sli_duration_seconds_bucket{.*le="`,
	`scheduler_pod_scheduling_sli_duration_seconds_count`,
	`rest_client_requests_total{.*code="2..`,
	`rest_client_request_duration_seconds_bucket{.*verb="POST".*le="`,
	`rest_client_request_duration_seconds_bucket{.*verb="GET".*le="`,
	`process_resident_memory_bytes`,
	`process_cpu_seconds_total`,
	`go_goroutines`,
}

// TestTheDashboardOfTheMixinHasData proves that each panel for kube-scheduler finds its series.
func TestTheDashboardOfTheMixinHasData(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.nodes("node", 2)
	_ = w.client.CoordinationV1().Leases(leaseNamespace).Delete(w.ctx, leaseName, metav1.DeleteOptions{})
	// The only GET requests that end soon are those for the Lease.
	d := w.start(w.profile(fast, election), func(o *daemon.Options) { o.LeaderElect = true })
	const pods = 20
	w.pods("pod", pods, cpu("10m"))
	w.atLeast(pods, time.Minute)
	w.eventually(20*time.Second, func() error {
		status, text := w.ask(http.MethodGet, d.URL+"/metrics")
		if status != http.StatusOK {
			return fmt.Errorf("GET /metrics: %d: %.300s", status, text)
		}
		for _, wanted := range ofTheMixin {
			if !regexp.MustCompile(`(?m)^` + wanted).MatchString(text) {
				return fmt.Errorf("there is no series %s", wanted)
			}
		}
		return nil
	})
}

// TestMetricsCompare compares names, types, help texts, labels, and buckets under the same load.
func TestMetricsCompare(t *testing.T) {
	onlyBerth(t, "other scheduler to compare its metrics with")
	for _, path := range []string{"/metrics", "/metrics/slis", "/metrics/resources"} {
		t.Run(path[strings.LastIndex(path, "/")+1:], func(t *testing.T) {
			served := map[daemon.Kind]map[string]*family{}
			for _, by := range []daemon.Kind{daemon.Kube, daemon.Berth} {
				t.Run(string(by), func(t *testing.T) { served[by] = metricsUnderLoad(t, by, path) })
			}
			kube, berth := served[daemon.Kube], served[daemon.Berth]
			if kube == nil || berth == nil {
				return // the scene has failed, and said why
			}
			for _, name := range slices.Sorted(maps.Keys(kube)) {
				want, have := kube[name], berth[name]
				if isNotServed(name) {
					if have != nil {
						t.Errorf("%s: Berth serves it; remove the exception", name)
					}
					continue
				}
				if have == nil {
					t.Errorf("%s: only kube-scheduler serves it", name)
					continue
				}
				if have.kind != want.kind || have.help != want.help {
					t.Errorf("%s: %s %q, want %s %q", name, have.kind, have.help, want.kind, want.help)
				}
				if !slices.Equal(have.labels, want.labels) {
					t.Errorf("%s: labels %v, want %v", name, have.labels, want.labels)
				}
				if !slices.Equal(have.buckets, want.buckets) {
					t.Errorf("%s: buckets %v, want %v", name, have.buckets, want.buckets)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(berth)) {
				if kube[name] == nil && !strings.HasPrefix(name, "berth_") {
					t.Logf("%s: kube-scheduler has no series of it in this scene", name)
				}
			}
		})
	}
}
