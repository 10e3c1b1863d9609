package standin

import (
	"testing"

	"berth.dev/berth/tests/conformance/internal/generate"
	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// TestCleanRuns judges upstream's own decisions: any difference is an error of the judge.
func TestCleanRuns(t *testing.T) {
	upstream.Quiet()
	var stats judge.Stats
	for _, family := range generate.Families() {
		t.Run(family, func(t *testing.T) {
			for seed := range uint64(25) {
				cluster, err := generate.New(family, seed)
				if err != nil {
					t.Fatal(err)
				}
				files, err := cluster.Write(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				c, err := files.Read()
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				ours, err := Simulate(c, seed)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				report, err := judge.Replay(c, ours)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for _, d := range report.Differences {
					t.Errorf("seed %d: %s", seed, d)
				}
				stats.Add(report.Stats)
			}
		})
	}
	t.Logf("%+v", stats)
}
