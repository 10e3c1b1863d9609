package cluster

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/programs"
)

func TestAPIServer135(t *testing.T) {
	c := anotherPlane(t, "control-plane-1.35", controlplane.Options{APIServer: programs.APIServer135})
	t.Run("Scheduler", func(t *testing.T) {
		w := newWorldOn(t, c, time.Minute)
		w.nodes("node", 2, func(n *fakelet.NodeSpec) { n.CPU = "1" })
		w.start(w.profile() + withoutPreemption)
		w.pods("pod", 20, cpu("100m"))
		w.atLeast(20, 20*time.Second)
		w.event(w.bound("pod-0", time.Second), "Scheduled")
		w.pod("late", cpu("100m"))
		if got, want := w.unschedulable("late", 10*time.Second).Message, "0/2 nodes are available: 2 Insufficient cpu."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		time.Sleep(backoff)
		w.must(w.client.CoreV1().Pods(w.ns).Delete(w.ctx, "pod-0", metav1.DeleteOptions{}))
		w.bound("late", slack)
		w.prove()
	})
}
