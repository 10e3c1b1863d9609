// Command bench measures schedulers with a real API server, a new one for each run. Run `go run ./cmd/bench` in
// tests/cluster for its usage.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

const usage = `usage: go run ./cmd/bench COMMAND [flags]
  backlog  all pods are there before the scheduler: pods/s, CPU-seconds per 1,000 pods
  start    nodes full of bound pods, and one that waits: time to its binding, resident memory
  storm    pods that fit nowhere, node heartbeats, and a stream of pods that fit: latency, CPU
  churn    pods that come and go beside bound pods: resident memory each minute
  latency  one pod after the other: time from its watch event to its binding
  failover 100 pods/s and two replicas, whose leader ends again and again: the time without bindings
Each prints a line of JSON per run, and medians per scheduler at the end.
`

// options are the command line.
type options struct {
	order     []string // schedulers, in the order of their runs
	nodes     int
	pods      int
	seconds   int
	rounds    int
	rate      int
	minutes   int
	kill      bool
	http1     bool
	berth     string
	plugins   string
	keep      string // directory of logs
	qps       int
	programs  string
	root      string
	verbosity int
}

func main() {
	commands := map[string]func(context.Context, *options, *run) error{"backlog": backlog, "start": start, "storm": storm, "churn": churn, "latency": latency, "failover": failover}
	defaults := map[string][2]int{"backlog": {1000, 5000}, "start": {5000, 50000}, "storm": {1000, 10000}, "churn": {5000, 50000}, "latency": {1000, 0}, "failover": {100, 0}}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	name := os.Args[1]
	o := &options{}
	flags := flag.NewFlagSet("bench "+name, flag.ExitOnError)
	order := flags.String("scheduler", "berth,kube,kube,berth", "schedulers, a run each: berth, kube, and ceiling, which decides nothing (backlog and storm only)")
	flags.IntVar(&o.nodes, "nodes", defaults[name][0], "nodes")
	flags.IntVar(&o.pods, "pods", defaults[name][1], "pods: waiting (backlog), bound (start, churn) or unschedulable (storm)")
	flags.IntVar(&o.seconds, "seconds", 30, "storm and latency: how long")
	flags.BoolVar(&o.http1, "http1", false, "Berth without HTTP/2")
	flags.IntVar(&o.rounds, "rounds", 50, "failover: how often the leader ends")
	flags.IntVar(&o.rate, "rate", 10_000, "churn: pods that come and go a minute")
	flags.IntVar(&o.minutes, "minutes", map[string]int{"churn": 60}[name], "churn: how long, after the first minute")
	flags.BoolVar(&o.kill, "kill", false, "failover: by SIGKILL in place of SIGTERM")
	flags.IntVar(&o.qps, "qps", 5000, "clientConnection.qps and burst of the scheduler")
	flags.StringVar(&o.berth, "berth", "../../build/release/bin/berth-scheduler", "Berth's program")
	flags.StringVar(&o.plugins, "plugin-dir", "../../build/release/lib/berth/plugins", "Berth's plugins")
	flags.StringVar(&o.keep, "logs", filepath.Join(os.TempDir(), "berth-bench"), "directory for logs; what is there goes")
	flags.IntVar(&o.verbosity, "v", 0, "verbosity of the scheduler")
	_ = flags.Parse(os.Args[2:])
	o.order = strings.Split(*order, ",")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := o.all(ctx, commands[name])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// all makes the runs in order and prints their results.
func (o *options) all(ctx context.Context, measure func(context.Context, *options, *run) error) error {
	var err error
	if o.programs, err = programs.ControlPlane.Built("."); err != nil {
		return err
	}
	if o.root, err = filepath.Abs("../.."); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(o.keep), os.MkdirAll(o.keep, 0o755), process.Quiet(filepath.Join(o.keep, "bench.log"))); err != nil {
		return err
	}
	var results []result
	for i, scheduler := range o.order {
		r, err := o.one(ctx, i, scheduler, measure)
		if err != nil {
			return fmt.Errorf("run %d, %s: %w (logs: %s)", i+1, scheduler, err, o.keep)
		}
		results = append(results, r)
		print(r)
	}
	for _, m := range medians(results) {
		print(m)
	}
	return nil
}

func print(r result) {
	line, _ := json.Marshal(r) // contains strings and numbers
	fmt.Println(string(line))
}
