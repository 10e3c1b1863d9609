// Command policies measures Berth and kube-scheduler on clusters whose pods use one policy each; README.md describes
// it. scripts/bench builds its inputs and runs it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"berth.dev/berth/tests/conformance/internal/bench"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "policies:", err)
		os.Exit(2)
	}
}

func run() error {
	s := bench.Suite{Out: os.Stdout}
	flag.StringVar(&s.Berthctl, "berthctl", "", "release build of berthctl")
	flag.StringVar(&s.Latencies, "latencies", "", "release build of policy_latencies")
	flag.StringVar(&s.Judge, "judge", "", "build of cmd/judge")
	flag.StringVar(&s.Dir, "dir", "", "directory for clusters and policies.json")
	flag.IntVar(&s.Core, "core", 0, "the CPU everything runs on")
	flag.IntVar(&s.Runs, "runs", 3, "of each measurement; figures are medians")
	flag.Uint64Var(&s.Seed, "seed", 1, "of the clusters")
	flag.BoolVar(&s.Keep, "keep", false, "keep the clusters' files")
	filter := flag.String("filter", ".", "regular expression over POLICY@NODES")
	generate := flag.String("generate", "", "only write this policy's cluster into -dir")
	var size bench.Size
	flag.IntVar(&size.Nodes, "nodes", 5000, "with -generate")
	flag.IntVar(&size.Bound, "bound", 5000, "with -generate: pods on nodes")
	flag.IntVar(&size.Pending, "pending", 4001, "with -generate: pods that wait")
	flag.IntVar(&size.Few, "few", 301, "with -generate: of those, how many few.json has")
	flag.Parse()
	if s.Dir == "" || s.Runs < 1 || size.Nodes < 1 || size.Pending < 1 || size.Few < 1 {
		return fmt.Errorf("-dir is needed; -runs, -nodes, -pending and -few are at least 1")
	}
	if *generate != "" {
		return write(*generate, s.Dir, size, s.Seed)
	}
	var err error
	if s.Filter, err = regexp.Compile(*filter); err != nil {
		return fmt.Errorf("-filter: %w", err)
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	figures, failed := s.Run()
	data, err := json.MarshalIndent(figures, "", " ")
	if err == nil {
		err = os.WriteFile(filepath.Join(s.Dir, "policies.json"), data, 0o644)
	}
	return errors.Join(failed, err)
}

func write(policy, dir string, size bench.Size, seed uint64) error {
	for _, p := range bench.EveryPolicy() {
		if p.Name == policy {
			_, err := p.Write(dir, size, seed)
			return err
		}
	}
	return fmt.Errorf("there is no policy %q", policy)
}
