package minimize

import (
	"encoding/json"
	"testing"

	"berth.dev/berth/tests/conformance/internal/generate"
	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/standin"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// wrongTotals is a simulator that adds one to the totals of one pod, and is otherwise right.
func wrongTotals(pod string) Judge {
	return func(f judge.Files, seed uint64) (*judge.Report, []byte, error) {
		c, err := f.Read()
		if err != nil {
			return nil, nil, err
		}
		ours, err := standin.Simulate(c, seed)
		if err != nil {
			return nil, nil, err
		}
		for i := range ours.Pods {
			if ours.Pods[i].Pod != pod {
				continue
			}
			for j := range ours.Pods[i].Nodes {
				ours.Pods[i].Nodes[j].Total++
			}
		}
		report, err := judge.Replay(c, ours)
		if err != nil {
			return nil, nil, err
		}
		out, err := json.Marshal(ours)
		return report, out, err
	}
}

func TestKeepsOnlyWhatTheDifferenceNeeds(t *testing.T) {
	upstream.Quiet()
	cluster, err := generate.New("mixed", 5)
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
	clean, err := standin.Simulate(c, 5)
	if err != nil {
		t.Fatal(err)
	}
	pod := ""
	for _, a := range clean.Pods {
		if len(a.Nodes) != 0 {
			pod = a.Pod
		}
	}
	small, differences, err := Minimize(wrongTotals(pod), files, 5, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(differences) == 0 || differences[0].Pod != pod || differences[0].Field != "total" {
		t.Errorf("the small case shows %v", differences)
	}
	left, err := small.Read()
	if err != nil {
		t.Fatal(err)
	}
	// One node and the pod are enough for a wrong total; the pod is in the manifest or in one step.
	if n := len(left.Objects); n > 2 || len(left.Steps) > 1 {
		t.Errorf("%d objects and %d steps are left of %d and %d", n, len(left.Steps), len(c.Objects), len(c.Steps))
	}
}

func TestRefusesACaseWithoutDifference(t *testing.T) {
	upstream.Quiet()
	cluster, err := generate.New("ports", 1)
	if err != nil {
		t.Fatal(err)
	}
	files, err := cluster.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Minimize(wrongTotals("nobody"), files, 1, t.TempDir()); err == nil {
		t.Error("a case without difference was minimized")
	}
}
