// Command judge compares Berth's simulator with kube-scheduler's own framework on generated clusters; README.md
// describes it.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"berth.dev/berth/tests/conformance/internal/bench"
	"berth.dev/berth/tests/conformance/internal/run"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// options are the command line.
type options struct {
	simulator run.Simulator
	clusters  int
	seed      uint64
	family    string
	jobs      int
	keep      string
	replay    string
	result    string
	minimize  bool
	mutate    bool
	generate  string
	bench     bool
	workload  bench.Workload
}

func main() {
	o := parse()
	if !o.bench {
		upstream.Quiet()
	}
	differs, err := o.dispatch()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	case differs:
		os.Exit(1)
	}
}

func parse() *options {
	o := &options{}
	flag.StringVar(&o.simulator.Path, "berthctl", "", "the simulator: a program that takes berthctl's simulate command")
	flag.StringVar(&o.simulator.PluginDir, "plugin-dir", "", "passed to the simulator as --plugin-dir")
	flag.BoolVar(&o.simulator.NoDecisions, "no-decisions", false, "the simulator writes no decision log, as the stand-in")
	flag.DurationVar(&o.simulator.Patience, "timeout", time.Minute, "how long one simulation may take")
	flag.IntVar(&o.clusters, "clusters", 200, "how many clusters to judge, going round the families")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the first cluster; each following one takes the next")
	flag.StringVar(&o.family, "family", "", "judge this family only")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many clusters to judge at a time")
	flag.StringVar(&o.keep, "keep", "", "directory for the files of clusters that differ (default: a new one under the temporary directory)")
	flag.StringVar(&o.replay, "replay", "", "judge the case in this directory instead: config.yaml, manifest*.json, step*.json")
	flag.StringVar(&o.result, "result", "", "with -replay: judge this output instead of calling the simulator")
	flag.BoolVar(&o.minimize, "minimize", false, "make the case of -replay, or each cluster that differs, small while it differs")
	flag.BoolVar(&o.mutate, "mutate", false, "corrupt correct results in every way known and fail unless each is noticed")
	flag.StringVar(&o.generate, "generate", "", "only write the clusters' files into this directory")
	flag.BoolVar(&o.bench, "bench", false, "measure kube-scheduler's scheduling cycle and print JSON")
	o.workload.Flags(flag.CommandLine)
	flag.Parse()
	return o
}

// dispatch runs the requested mode and returns whether there are differences.
func (o *options) dispatch() (bool, error) {
	switch {
	case o.bench || o.workload.WriteOnly():
		return false, o.workload.Run(os.Stdout, o.bench)
	case o.generate != "":
		return false, o.writeClusters()
	case o.replay != "":
		return o.replayOne()
	case o.simulator.Path == "":
		return false, fmt.Errorf("-berthctl names no simulator")
	}
	return o.judgeClusters()
}
