package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// The page of a scheduler that schedules, in a browser. It needs what tests/page/run installs, so only tests/page/real
// runs it.
func TestThePageShowsARealScheduler(t *testing.T) {
	onlyBerth(t, "page")
	if os.Getenv("BERTH_PAGE") == "" {
		t.Skip("tests/page/real runs this test")
	}
	w := newWorld(t, 3*time.Minute)
	w.nodes("node", 6)
	w.node("tainted", func(n *fakelet.NodeSpec) {
		n.Taints = []corev1.Taint{{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule}}
	})
	d := w.start(w.profile(fast) + withoutPreemption)
	w.pods("pod", 20, cpu("100m"))
	w.bound("pod-19", 10*time.Second)
	w.pod("pending", cpu("100"))
	w.unschedulable("pending", 10*time.Second)
	page := exec.CommandContext(w.ctx, filepath.Join(root, "tests/page/run"), "--url", d.URL, "--screenshots", filepath.Join(root, "build/page"), "RealTest")
	if out, err := page.CombinedOutput(); err != nil {
		t.Errorf("the tests of the page: %v\n%s", err, out)
	}
	w.prove()
}
