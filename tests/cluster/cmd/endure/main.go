// Command endure disturbs Berth's scheduler on a real control plane for a long time and checks that the disturbances do not
// change the result: `go run ./cmd/endure watches` cuts its watches, `go run ./cmd/endure kills` kills it, `go run ./cmd/endure
// replicas` kills and stops two replicas and the API server, `go run ./cmd/endure configs` changes the configuration of two
// replicas at random. Run it in tests/cluster; scripts/soak builds its inputs.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"berth.dev/berth/tests/cluster/internal/alone"
	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/endure"
)

func main() {
	what := ""
	if len(os.Args) > 1 {
		what = os.Args[1]
	}
	o := endure.Options{Namespace: "endure", Log: os.Stderr}
	flags := flag.NewFlagSet("endure "+what, flag.ExitOnError)
	flags.IntVar(&o.Nodes, "nodes", 500, "nodes, beside small ones")
	flags.StringVar(&o.Binary, "berth", "../../build/release/bin/berth-scheduler", "Berth's program")
	flags.StringVar(&o.Plugins, "plugin-dir", "../../build/release/lib/berth/plugins", "Berth's plugins; nobody may change them meanwhile")
	flags.StringVar(&o.Dir, "logs", filepath.Join(os.TempDir(), "berth-endure-"+what), "directory for logs; what is there goes")
	var measure func(context.Context) (alone.Finding, error)
	switch what {
	case "watches":
		measure = watches(flags, &o)
	case "kills":
		measure = kills(flags, &o)
	case "replicas":
		measure = replicas(flags, &o)
	case "configs":
		measure = configs(flags, &o)
	default:
		fmt.Fprintln(os.Stderr, "endure: watches, kills, replicas, or configs?")
		os.Exit(2)
	}
	_ = flags.Parse(os.Args[2:]) // it exits
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := run(ctx, &o, measure)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "endure: %v (logs: %s)\n", err, o.Dir)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func watches(flags *flag.FlagSet, o *endure.Options) func(context.Context) (alone.Finding, error) {
	w := endure.WatchesOptions{}
	minutes := flags.Float64("minutes", 30, "how long")
	flags.DurationVar(&w.Every, "every", time.Minute, "between two disturbances")
	flags.DurationVar(&w.Sample, "sample", 10*time.Second, "between two looks at memory and descriptors")
	flags.DurationVar(&w.Warmup, "warmup", 5*time.Minute, "of looks that do not count")
	flags.DurationVar(&w.Hang, "hang", 20*time.Second, "of connections on which nothing passes, before they are cut")
	flags.StringVar(&w.Ways, "ways", "", "regular expression: only disturbances whose name it matches")
	flags.IntVar(&o.Rate, "rate", 20, "pods per second")
	return func(ctx context.Context) (alone.Finding, error) {
		w.Length = time.Duration(*minutes * float64(time.Minute))
		fmt.Printf("endure watches: %d nodes, %d pods/s, a disturbance every %s for %s\n", o.Nodes, o.Rate, w.Every, w.Length)
		return endure.RunWatches(ctx, *o, w)
	}
}

func kills(flags *flag.FlagSet, o *endure.Options) func(context.Context) (alone.Finding, error) {
	n := flags.Int("kills", 100, "how many; SIGTERM and SIGKILL in turn")
	seed := flags.Uint64("seed", 0, "chooses the moments; 0: drawn and printed")
	flags.IntVar(&o.Rate, "rate", 40, "pods per second")
	flags.StringVar(&o.TestPlugins, "test-plugins", "../../build/release/tests/cluster/plugins", "plugins of tests/cluster/plugin")
	return func(ctx context.Context) (alone.Finding, error) {
		draw(seed)
		fmt.Printf("endure kills: %d nodes, %d pods/s, %d kills, seed %d\n", o.Nodes, o.Rate, *n, *seed)
		return endure.RunKills(ctx, *o, *n, *seed)
	}
}

func replicas(flags *flag.FlagSet, o *endure.Options) func(context.Context) (alone.Finding, error) {
	n := flags.Int("kills", 100, "how many disturbances: of the schedulers and of the API server in turn")
	seed := flags.Uint64("seed", 0, "chooses the moments; 0: drawn and printed")
	flags.IntVar(&o.Rate, "rate", 100, "pods per second")
	return func(ctx context.Context) (alone.Finding, error) {
		draw(seed)
		fmt.Printf("endure replicas: %d nodes, %d pods/s, %d disturbances, seed %d\n", o.Nodes, o.Rate, *n, *seed)
		return endure.RunReplicas(ctx, *o, *n, *seed)
	}
}

func configs(flags *flag.FlagSet, o *endure.Options) func(context.Context) (alone.Finding, error) {
	c := endure.ConfigsOptions{}
	flags.IntVar(&c.Changes, "changes", 1000, "how many changes")
	flags.Uint64Var(&c.Seed, "seed", 0, "chooses the changes; 0: drawn and printed")
	flags.StringVar(&c.Berthctl, "berthctl", "../../build/release/bin/berthctl", "says which configurations are valid")
	flags.StringVar(&c.Builds, "builds", "../../build/release/tests/cluster/builds", "builds of tests/cluster/plugin/prefers_version.cc")
	flags.StringVar(&c.Zoo, "zoo", "../../build/release/tests/broken_plugins", "libraries of tests/broken_plugins")
	flags.IntVar(&o.Rate, "rate", 50, "pods per second")
	return func(ctx context.Context) (alone.Finding, error) {
		draw(&c.Seed)
		fmt.Printf("endure configs: %d nodes, %d pods/s, %d changes, seed %d\n", o.Nodes, o.Rate, c.Changes, c.Seed)
		return endure.RunConfigs(ctx, *o, c)
	}
}

// draw chooses a seed if none is given.
func draw(seed *uint64) {
	if *seed == 0 {
		*seed = uint64(rand.Uint32())
	}
}

func run(ctx context.Context, o *endure.Options, measure func(context.Context) (alone.Finding, error)) (bool, error) {
	return alone.Run(ctx, o.Dir, o.Namespace, func(root string, plane *controlplane.ControlPlane) (alone.Finding, error) {
		o.Root, o.Plane = root, plane
		return measure(ctx)
	})
}
