package bench

import (
	"bytes"
	"os"
	"testing"
)

// Each policy's cluster is reproducible, and kube-scheduler places all of its pods.
func TestPolicies(t *testing.T) {
	size := Size{Nodes: 60, Bound: 60, Pending: 20, Few: 10}
	for _, p := range Policies() {
		t.Run(p.Name, func(t *testing.T) {
			files, err := p.Write(t.TempDir(), size, 1)
			if err != nil {
				t.Fatal(err)
			}
			again, err := p.Write(t.TempDir(), size, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, pair := range [][2]string{{files.Standing, again.Standing}, {files.Pending, again.Pending}, {files.Few, again.Few}, {files.First, again.First}} {
				if !bytes.Equal(read(t, pair[0]), read(t, pair[1])) {
					t.Errorf("%s is not what it was", pair[0])
				}
			}
			w := Workload{Pods: size.Few, Parallelism: 1, Procs: 1, manifests: repeated{files.Standing, files.Few}, wholeCycles: p.Preempts()}
			report, err := w.measure()
			if err != nil {
				t.Fatal(err)
			}
			if report.Nodes != size.Nodes || report.Scheduled != size.Few || report.DecisionsPerSecond <= 0 || report.P50 > report.P99 {
				t.Errorf("report %+v", report)
			}
			if (report.Preempted != 0) != p.Preempts() {
				t.Errorf("%d pods preempted", report.Preempted)
			}
		})
	}
}

func TestSeedsDiffer(t *testing.T) {
	for _, p := range Policies() {
		if p.Name != "hetero" {
			continue
		}
		one, err := p.Write(t.TempDir(), Size{Nodes: 5, Pending: 5}, 1)
		if err != nil {
			t.Fatal(err)
		}
		two, err := p.Write(t.TempDir(), Size{Nodes: 5, Pending: 5}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(read(t, one.Pending), read(t, two.Pending)) {
			t.Error("two seeds, one cluster")
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
