package mutate

import (
	"math/rand/v2"
	"testing"

	"berth.dev/berth/tests/conformance/internal/generate"
	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/standin"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// TestEveryMutationIsNoticed corrupts upstream's own results. Each mutation of attempts must apply somewhere and be
// reported everywhere. `judge -mutate` also corrupts suggestions.
func TestEveryMutationIsNoticed(t *testing.T) {
	upstream.Quiet()
	applied := map[string]int{}
	for seed := range uint64(8) {
		for _, family := range generate.Families() {
			c, clean := run(t, family, seed)
			r := rand.New(rand.NewPCG(seed, 7))
			for _, m := range ofAttempts() {
				bad := clean.Clone()
				if !m.Apply(bad, r) {
					continue
				}
				applied[m.Name]++
				report, err := judge.Replay(c, bad)
				if err != nil {
					t.Fatalf("%s seed %d, %s: %v", family, seed, m.Name, err)
				}
				if len(report.Differences) == 0 {
					t.Errorf("%s seed %d: the judge did not notice: %s", family, seed, m.Name)
				}
			}
		}
	}
	for _, m := range ofAttempts() {
		if applied[m.Name] == 0 {
			t.Errorf("%s: never applied", m.Name)
		}
	}
	t.Log(applied)
}

func run(t *testing.T, family string, seed uint64) (*judge.Case, *result.Simulation) {
	t.Helper()
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
		t.Fatal(err)
	}
	clean, err := standin.Simulate(c, seed)
	if err != nil {
		t.Fatal(err)
	}
	return c, clean
}
