package judge

import (
	"errors"
	"fmt"
	"testing"

	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// sandboxed is a pod with a pod-level memory request and a memory overhead.
func sandboxed(memory string) string {
	return handPod("p", "default-scheduler", "1",
		fmt.Sprintf(`,"overhead":{"memory":"64Mi"},"resources":{"requests":{"memory":%q}}`, memory))
}

// replaySandboxed replays one attempt that fails, for a pod which does not fit the node.
func replaySandboxed(t *testing.T, memory string) (*Report, error) {
	t.Helper()
	cfg, err := upstream.DecodeConfig([]byte(handConfig))
	if err != nil {
		t.Fatal(err)
	}
	objs, err := upstream.DecodeManifest(handList(handNode("n1", "4", ""), sandboxed(memory)))
	if err != nil {
		t.Fatal(err)
	}
	ours := &result.Simulation{Pods: []result.Attempt{{
		Pod: "ns/p", Profile: "default-scheduler", Result: result.Unschedulable,
		Message: "0/1 nodes are available: 1 Insufficient memory.",
		Nodes: []result.Node{{Name: "n1", Verdict: "UnschedulableAndUnresolvable", Plugin: "NodeResourcesFit",
			Reasons: []string{"Insufficient memory"}}},
	}}}
	return Replay(&Case{Config: cfg, Objects: objs}, ours)
}

// TestUpstreamReadsWhatAnAPIServerWrites: with these notations kube-scheduler would add the overhead to the pod's own
// request each time it reads it, and retry the pod after its status update. An API server writes another notation.
func TestUpstreamReadsWhatAnAPIServerWrites(t *testing.T) {
	upstream.Quiet()
	for _, memory := range []string{"20Gi", "20.5Gi", "21474836480000000000n", "+021474836480.000", "2147483648e1", "0.02Ti"} {
		report, err := replaySandboxed(t, memory)
		if err != nil {
			t.Errorf("%s: %v", memory, err)
			continue
		}
		for _, d := range report.Differences {
			t.Errorf("%s: %s", memory, d)
		}
	}
}

// TestUpstreamThatSpoilsItsInputIsNoJudge: these quantities keep arbitrary precision in any notation.
func TestUpstreamThatSpoilsItsInputIsNoJudge(t *testing.T) {
	upstream.Quiet()
	for _, memory := range []string{"100Ti", "109951162777600.000000001", "2Pi"} {
		if report, err := replaySandboxed(t, memory); !errors.Is(err, ErrContradiction) {
			t.Errorf("%s: %v, %v", memory, report, err)
		}
	}
}
