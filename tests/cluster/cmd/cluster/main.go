// Command cluster builds the programs of the test control plane: `go run ./cmd/cluster build`, in tests/cluster.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"berth.dev/berth/tests/cluster/internal/programs"
)

func main() {
	if len(os.Args) != 2 || os.Args[1] != "build" {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/cluster build")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir, err := programs.Build(ctx, ".", os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}
