package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The log of one pod's attempt, point by point, in kube-scheduler's format with the profile's plugins at -v=3.
func TestSeedWyq(t *testing.T) {
	onlyBerth(t, "plugins defalut, filteringPod, filteringNode and randScore")
	w := newWorld(t, time.Minute)
	w.node("yigou-dev-102-44", controlPlaneTaint)
	w.node("yigou-dev-102-45")
	w.node("yigou-dev-102-46")
	d := w.start(w.file("config/wyq.yaml"))
	w.kubectl("apply", "-n", w.ns, "-f", filepath.Join(root, "manifests/examples/wyq/test-pod.yaml"))
	node := w.bound("test", 10*time.Second).Spec.NodeName
	pod := `pod="` + w.ns + `/test"`
	w.logs(d.Log(), []string{
		`"Attempting to schedule pod" ` + pod,
		"PreFilter: test",
		"Filter : pod: test, node: yigou-dev-102-45",
		"Filter : pod: test, node: yigou-dev-102-46",
		"PreScore: test",
		"Score: pod: test, node: yigou-dev-102-45",
		"Score: pod: test, node: yigou-dev-102-46",
		"NormalizeScore: pod: test",
		"Reserve: pod: test, node: " + node,
		"Permit: pod: test, node: " + node,
		"PreBind: pod: test, node: " + node,
		`"Attempting to bind pod to node" ` + pod + ` node="` + node + `"`,
		`"Successfully bound pod to node" ` + pod + ` node="` + node + `" evaluatedNodes=3 feasibleNodes=2 generation=1`,
		"PostBind: pod: test, node: " + node,
	})
	// The watch reports the binding at any time after the attempt to bind.
	bind := `"Attempting to bind pod to node" ` + pod + ` node="` + node + `"`
	w.logs(d.Log(), []string{bind, `"Delete event for unscheduled pod" ` + pod})
	w.logs(d.Log(), []string{bind, `"Add event for scheduled pod" ` + pod})
	if text, err := os.ReadFile(d.Log()); err != nil || strings.Contains(string(text), "Filter : pod: test, node: yigou-dev-102-44") {
		t.Errorf("the profile's Filter was asked about a node that TaintToleration refuses (%v)", err)
	}
	w.prove()
}

// logs waits until the log contains these complete messages in this order, possibly with others between them, after
// klog's header without a year.
func (w *world) logs(file string, messages []string) {
	w.t.Helper()
	header := regexp.MustCompile(`^I\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ [^ :]+:\d+\] `)
	w.eventually(5*time.Second, func() error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		left := messages
		for line := range strings.Lines(string(text)) {
			at := header.FindString(line)
			if len(left) > 0 && at != "" && strings.TrimSuffix(line[len(at):], "\n") == left[0] {
				left = left[1:]
			}
		}
		if len(left) > 0 {
			return fmt.Errorf("%s has no %s after the previous message", file, left[0])
		}
		return nil
	})
}
