package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/load"
)

// result contains the values of a run by name; "scheduler" names the scheduler.
type result map[string]any

// run is one scheduler on one control plane.
type run struct {
	plane     *controlplane.ControlPlane
	scheduler string
	dir       string
	result    result
}

// timeout is the time limit of one run beside its o.minutes. failover -kill needs 17 s for each of its rounds.
const timeout = 30 * time.Minute

func (o *options) one(ctx context.Context, i int, scheduler string, measure func(context.Context, *options, *run) error) (result, error) {
	ctx, stop := context.WithTimeout(ctx, timeout+time.Duration(o.minutes)*time.Minute)
	defer stop()
	r := &run{scheduler: scheduler, dir: filepath.Join(o.keep, fmt.Sprintf("%d-%s", i+1, scheduler)), result: result{"scheduler": scheduler}}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	r.plane, err = controlplane.Start(ctx, controlplane.Options{Programs: o.programs, Dir: r.dir})
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.plane.Stop() }()
	if _, err := r.plane.Kubectl(ctx, "apply", "-f", filepath.Join(o.root, "manifests/rbac.yaml")); err != nil {
		return nil, err
	}
	return r.result, measure(ctx, o, r)
}

// launch starts the run's scheduler without leader election and does not wait for it.
func (r *run) launch(o *options) (*daemon.Daemon, error) {
	return r.launchAs(o, daemon.Options{Name: r.scheduler})
}

// launchAs starts the run's scheduler with a name and, if d.LeaderElect, as one of several replicas. It does not wait for it.
func (r *run) launchAs(o *options, d daemon.Options) (*daemon.Daemon, error) {
	kinds := map[string]daemon.Kind{"berth": daemon.Berth, "kube": daemon.Kube}
	if kinds[r.scheduler] == "" {
		return nil, fmt.Errorf("there is no scheduler %q for this benchmark", r.scheduler)
	}
	d.Config = fmt.Sprintf("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"+
		"clientConnection: {qps: %d, burst: %d}\nleaderElection: {leaderElect: %t}\nprofiles:\n- schedulerName: %s\n",
		o.qps, o.qps, d.LeaderElect, load.Scheduler)
	d.Kind, d.Programs, d.Root, d.Dir = kinds[r.scheduler], o.programs, o.root, r.dir
	d.Binary, d.Plugins, d.Extra = o.berth, o.plugins, []string{fmt.Sprintf("-v=%d", o.verbosity)}
	if o.http1 && r.scheduler == "berth" {
		d.Environment = append(d.Environment, "DISABLE_HTTP2=1")
	}
	return daemon.Launch(r.plane, d)
}

// usage adds what the scheduler used so far.
func (r *run) usage(d *daemon.Daemon) error {
	used, err := d.Usage()
	r.result["cpu_s"] = round(used.CPU.Seconds())
	r.result["rss_mb"] = round(float64(used.RSS) / 1e6)
	r.result["rss_peak_mb"] = round(float64(used.Peak) / 1e6)
	return err
}

// medians is one result for each scheduler that ran more than once.
func medians(results []result) []result {
	var out []result
	for i, r := range results {
		values := map[string][]float64{}
		for _, other := range results {
			for name, value := range other {
				if number, ok := value.(float64); ok && other["scheduler"] == r["scheduler"] {
					values[name] = append(values[name], number)
				}
			}
		}
		again := slices.ContainsFunc(results[:i], func(earlier result) bool { return earlier["scheduler"] == r["scheduler"] })
		median := result{"scheduler": r["scheduler"], "median": true}
		runs := 0
		for name, all := range values {
			slices.Sort(all)
			runs = max(runs, len(all))
			median[name] = round((all[(len(all)-1)/2] + all[len(all)/2]) / 2)
		}
		if !again && runs > 1 {
			median["runs"] = runs
			out = append(out, median)
		}
	}
	return out
}

// round keeps four digits, more than the precision of any value.
func round(value float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 4, 64), 64)
	return rounded
}
