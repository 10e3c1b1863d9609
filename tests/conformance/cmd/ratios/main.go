// Command ratios is the test that compares ratios of Berth and kube-scheduler with the recorded ones. It ends with 1 if
// one has fallen below half. With -record it records them instead.
package main

import (
	"flag"
	"fmt"
	"os"

	"berth.dev/berth/tests/conformance/internal/bench"
)

func main() {
	s := bench.Suite{Out: os.Stdout, Core: -1}
	flag.StringVar(&s.Berthctl, "berthctl", "", "berthctl of the tested build")
	flag.StringVar(&s.Judge, "judge", "", "build of cmd/judge")
	flag.StringVar(&s.Dir, "dir", "", "directory for clusters")
	flag.IntVar(&s.Runs, "runs", 3, "of each point; figures are medians")
	flag.Uint64Var(&s.Seed, "seed", 1, "of the clusters")
	most := flag.Int("most-runs", 7, "of a point whose ratio is too low")
	path := flag.String("history", "", "the history")
	record := bench.Record{}
	recording := flag.Bool("record", false, "add the ratios to the history")
	flag.StringVar(&record.Build, "build", "dev", "the CMake preset of berthctl")
	flag.StringVar(&record.Date, "date", "", "with -record")
	flag.StringVar(&record.Commit, "commit", "", "with -record")
	flag.Parse()
	h, err := bench.ReadHistory(*path)
	if err == nil {
		required := h
		if *recording {
			required = nil
		}
		record.Points, err = s.MeasureTested(required, record.Build, *most)
	}
	if err == nil && *recording {
		err = record.Valid()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(2)
	}
	if *recording {
		h.Add(&record)
		err = h.Write(*path)
	} else {
		err = bench.Compare(os.Stdout, h, record.Build, record.Points)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}
