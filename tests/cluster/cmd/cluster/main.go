// Command cluster builds the programs of the test control plane, or the programs of real nodes: `go run ./cmd/cluster build
// [nodes]`, in tests/cluster.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"berth.dev/berth/tests/cluster/internal/programs"
)

func main() {
	set, ok := chosen(os.Args[1:])
	if !ok {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/cluster build [cluster | nodes]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir, err := set.Build(ctx, ".", os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}

func chosen(args []string) (programs.Set, bool) {
	switch {
	case len(args) == 1 && args[0] == "build":
		return programs.ControlPlane, true
	case len(args) == 2 && args[0] == "build":
		set, ok := programs.Sets[args[1]]
		return set, ok
	default:
		return programs.Set{}, false
	}
}
