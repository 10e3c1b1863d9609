package cluster

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// The complete default configuration is valid and has the same effect as an empty one.
func TestTheDefaultConfigurationWrittenOut(t *testing.T) {
	onlyBerth(t, "berthctl")
	w := newWorld(t, time.Minute)
	file := filepath.Join(root, "config/default.yaml")
	check := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), "config", "check", "--config", file,
		"--plugin-dir", filepath.Join(root, "build/dev/lib/berth/plugins"))
	if out, err := check.CombinedOutput(); err != nil {
		t.Fatalf("berthctl config check: %v\n%s", err, out)
	}
	w.node("a", oneCPU)
	w.node("b", oneCPU)
	w.start(w.file("config/default.yaml"))
	w.start(w.profile())
	for _, by := range []string{corev1.DefaultSchedulerName, w.ns} {
		w.pod("large-"+by, cpu("2"), scheduler(by))
		w.pod("small-"+by, cpu("1"), scheduler(by))
		w.bound("small-"+by, 10*time.Second)
	}
	written := w.unschedulable("large-"+corev1.DefaultSchedulerName, 10*time.Second).Message
	silent := w.unschedulable("large-"+w.ns, 10*time.Second).Message
	if written != silent || !strings.Contains(written, "preemption: ") {
		t.Errorf("one says\n%q, the other\n%q", written, silent)
	}
	w.prove()
}
