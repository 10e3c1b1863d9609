// Package bench measures kube-scheduler's scheduling cycle in memory: the reference for Berth's benchmark, over the
// same cluster.
package bench

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"berth.dev/berth/tests/conformance/internal/generate"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// Workload is what is measured, and what -write-cluster writes.
type Workload struct {
	Nodes         int
	Pods          int
	Heterogeneous bool // requests differ from pod to pod
	MixedNodes    bool // node sizes and zones differ
	Parallelism   int
	Procs         int
	writeCluster  string
	writeConfig   string
	profile       string
}

// Flags registers the workload's flags.
func (w *Workload) Flags(f *flag.FlagSet) {
	f.IntVar(&w.Nodes, "nodes", 1000, "with -bench: nodes")
	f.IntVar(&w.Pods, "pods", 1000, "with -bench: pods to schedule, one after the other")
	f.BoolVar(&w.Heterogeneous, "heterogeneous", false, "with -bench: requests that differ from pod to pod")
	f.BoolVar(&w.MixedNodes, "mixed-nodes", false, "with -bench: nodes of different sizes in three zones")
	f.IntVar(&w.Parallelism, "parallelism", 16, "with -bench: kube-scheduler's parallelism")
	f.IntVar(&w.Procs, "procs", 1, "with -bench: GOMAXPROCS")
	f.StringVar(&w.writeCluster, "write-cluster", "", "write the benchmark's cluster to this file as a JSON List")
	f.StringVar(&w.writeConfig, "write-config", "", "write the benchmark's configuration to this file")
	f.StringVar(&w.profile, "cpuprofile", "", "with -bench: write a CPU profile of the measured loop to this file")
}

// WriteOnly says that files are asked for.
func (w *Workload) WriteOnly() bool { return w.writeCluster != "" || w.writeConfig != "" }

// report is the JSON printed.
type report struct {
	Nodes              int     `json:"nodes"`
	Pods               int     `json:"pods"`
	Heterogeneous      bool    `json:"heterogeneous"`
	MixedNodes         bool    `json:"mixed_nodes"`
	Parallelism        int     `json:"parallelism"`
	Procs              int     `json:"gomaxprocs"`
	Scheduled          int     `json:"scheduled"`
	DecisionsPerSecond float64 `json:"decisions_per_second"`
	P50                float64 `json:"p50_us"`
	P99                float64 `json:"p99_us"`
}

// Run writes the files asked for and, if measure is set, schedules and assumes all pods and prints the report.
func (w *Workload) Run(out io.Writer, measure bool) error {
	if w.Nodes < 1 || w.Pods < 1 || w.Procs < 1 || w.Parallelism < 1 {
		return fmt.Errorf("-nodes, -pods, -parallelism and -procs are at least 1")
	}
	if err := w.write(); err != nil || !measure {
		return err
	}
	runtime.GOMAXPROCS(w.Procs)
	config, err := generate.YAML(w.config())
	if err != nil {
		return err
	}
	cfg, err := upstream.DecodeConfig(config)
	if err != nil {
		return err
	}
	nodes, pods := w.cluster()
	times, elapsed, err := upstream.Measure(cfg, w.Parallelism, nodes, pods, w.profile)
	if err != nil {
		return err
	}
	slices.Sort(times)
	return json.NewEncoder(out).Encode(report{
		Nodes: w.Nodes, Pods: w.Pods, Heterogeneous: w.Heterogeneous, MixedNodes: w.MixedNodes, Parallelism: w.Parallelism, Procs: w.Procs,
		Scheduled: len(times), DecisionsPerSecond: float64(len(times)) / elapsed.Seconds(),
		P50: quantile(times, 0.5), P99: quantile(times, 0.99),
	})
}

// quantile is in microseconds; times are sorted.
func quantile(times []time.Duration, q float64) float64 {
	return float64(times[min(int(float64(len(times))*q), len(times)-1)].Nanoseconds()) / 1000
}

func (w *Workload) config() map[string]any {
	config := generate.PlainConfig()
	config["parallelism"] = w.Parallelism
	return config
}

func (w *Workload) write() error {
	if w.writeConfig != "" {
		config, err := generate.YAML(w.config())
		if err != nil {
			return err
		}
		if err := os.WriteFile(w.writeConfig, config, 0o644); err != nil {
			return err
		}
	}
	if w.writeCluster == "" {
		return nil
	}
	nodes, pods := w.cluster()
	return generate.WriteList(w.writeCluster, append(asObjects(nodes), asObjects(pods)...))
}
