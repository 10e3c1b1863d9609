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
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"berth.dev/berth/tests/conformance/internal/generate"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// Workload is the input of a measurement, and of -write-cluster.
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
	manifests     repeated
	wholeCycles   bool
}

// repeated is a flag that may be given several times.
type repeated []string

func (r *repeated) String() string     { return strings.Join(*r, ",") }
func (r *repeated) Set(v string) error { *r = append(*r, v); return nil }

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
	f.Var(&w.manifests, "manifest", "with -bench: measure over this manifest instead, the default profile as it is; repeatable")
	f.BoolVar(&w.wholeCycles, "whole-cycles", false, "with -bench: measure failures, preemption, retries and bindings too")
	f.StringVar(&w.profile, "cpuprofile", "", "with -bench: write a CPU profile of the measured loop to this file")
}

// WriteOnly returns whether files are requested.
func (w *Workload) WriteOnly() bool { return w.writeCluster != "" || w.writeConfig != "" }

// Report is the JSON printed.
type Report struct {
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
	Seconds            float64 `json:"seconds"`
	CPUSeconds         float64 `json:"cpu_seconds"`
	Preempted          int     `json:"preempted"` // pods, without the first attempt
}

// Run writes the requested files and, if measure is set, schedules and assumes all pods and prints the report.
func (w *Workload) Run(out io.Writer, measure bool) error {
	if w.Nodes < 1 || w.Pods < 2 || w.Procs < 1 || w.Parallelism < 1 {
		return fmt.Errorf("-nodes, -parallelism and -procs are at least 1, -pods is at least 2")
	}
	if err := w.write(); err != nil || !measure {
		return err
	}
	runtime.GOMAXPROCS(w.Procs)
	r, err := w.measure()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

func (w *Workload) measure() (*Report, error) {
	config, err := generate.YAML(w.config())
	if err != nil {
		return nil, err
	}
	cfg, err := upstream.DecodeConfig(config)
	if err != nil {
		return nil, err
	}
	objs, err := w.objects()
	if err != nil {
		return nil, err
	}
	m, err := upstream.Measure(cfg, upstream.Measurement{Parallelism: w.Parallelism, Pods: w.Pods, WholeCycles: w.wholeCycles, Profile: w.profile}, objs)
	if err != nil {
		return nil, err
	}
	slices.Sort(m.Times)
	return &Report{
		Nodes: countNodes(objs), Pods: w.Pods, Heterogeneous: w.Heterogeneous, MixedNodes: w.MixedNodes, Parallelism: w.Parallelism, Procs: w.Procs,
		Scheduled: w.Pods, DecisionsPerSecond: float64(w.Pods-1) / m.Elapsed.Seconds(), P50: quantile(m.Times, 0.5), P99: quantile(m.Times, 0.99),
		Seconds: m.Elapsed.Seconds(), CPUSeconds: m.CPU.Seconds(), Preempted: m.Evicted,
	}, nil
}

// objects returns those of the manifests, if any, or generated ones.
func (w *Workload) objects() ([]k8sruntime.Object, error) {
	if len(w.manifests) == 0 {
		nodes, pods := w.cluster()
		return append(asObjects(nodes), asObjects(pods)...), nil
	}
	var objs []k8sruntime.Object
	for _, path := range w.manifests {
		more, err := upstream.ReadManifest(path)
		if err != nil {
			return nil, err
		}
		objs = append(objs, more...)
	}
	return objs, nil
}

func countNodes(objs []k8sruntime.Object) int {
	n := 0
	for _, obj := range objs {
		if _, ok := obj.(*v1.Node); ok {
			n++
		}
	}
	return n
}

// quantile returns microseconds; times must be sorted.
func quantile(times []time.Duration, q float64) float64 {
	return float64(times[min(int(float64(len(times))*q), len(times)-1)].Nanoseconds()) / 1000
}

func (w *Workload) config() map[string]any {
	config := generate.PlainConfig()
	if len(w.manifests) != 0 {
		config = (&Policy{}).config()
	}
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
	objs, err := w.objects()
	if err != nil {
		return err
	}
	return generate.WriteList(w.writeCluster, objs)
}
