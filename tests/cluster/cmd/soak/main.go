// Command soak changes Berth's policy once a second while pods are scheduled on a real control plane, and checks that
// only the policy changed. Run `go run ./cmd/soak` in tests/cluster; scripts/soak builds its inputs.
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
	"berth.dev/berth/tests/cluster/internal/soak"
)

func main() {
	o := soak.Options{Namespace: "soak", Log: os.Stderr}
	minutes := flag.Float64("minutes", 5, "how long, after the warm-up")
	flag.DurationVar(&o.Warmup, "warmup", 30*time.Second, "pods without swaps before it, for the memory to become steady")
	flag.DurationVar(&o.Every, "every", time.Second, "between two swaps")
	flag.IntVar(&o.Nodes, "nodes", 500, "nodes")
	flag.IntVar(&o.Rate, "rate", 40, "pods per second")
	flag.Uint64Var(&o.Seed, "seed", 0, "chooses the swaps; 0: drawn and printed")
	flag.StringVar(&o.Binary, "berth", "../../build/release/bin/berth-scheduler", "Berth's program")
	flag.StringVar(&o.Plugins, "plugin-dir", "../../build/release/lib/berth/plugins", "Berth's plugins")
	flag.StringVar(&o.Builds, "builds", "../../build/release/tests/cluster/builds", "builds of PrefersVersion")
	flag.StringVar(&o.Dir, "logs", filepath.Join(os.TempDir(), "berth-soak"), "directory for logs; what is there goes")
	flag.Parse()
	o.Length = time.Duration(*minutes * float64(time.Minute))
	if o.Seed == 0 {
		o.Seed = uint64(rand.Uint32())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v (seed %d, logs: %s)\n", err, o.Seed, o.Dir)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, o soak.Options) (bool, error) {
	return alone.Run(ctx, o.Dir, o.Namespace, func(root string, plane *controlplane.ControlPlane) (alone.Finding, error) {
		o.Root, o.Plane = root, plane
		fmt.Printf("soak: %d nodes, %d pods/s, a swap every %s for %s, seed %d\n", o.Nodes, o.Rate, o.Every, o.Length, o.Seed)
		return soak.Run(ctx, o)
	})
}
