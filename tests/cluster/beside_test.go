package cluster

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// Two schedulers place pods on the same nodes at the same time; then the tested scheduler fills the remaining capacity.
// No further pod of either fits: each scheduler counts the other's pods.
func TestBesideKubeScheduler(t *testing.T) {
	const nodes, each, slots = 50, 1000, 44 // 200 slots remain, so neither scheduler overfills a node in a race
	w := newWorld(t, 5*time.Minute)
	w.nodes("node", nodes, func(n *fakelet.NodeSpec) { n.CPU = fmt.Sprintf("%dm", 100*slots) })
	other := w.ns + "-kube"
	w.start(w.profile(fast) + withoutPreemption)
	w.start(configHead+fast+"\nprofiles:\n- schedulerName: "+other+"\n"+withoutPreemption, func(o *daemon.Options) { o.Kind = daemon.Kube })
	w.parallel(2, func(i int) error {
		name := []string{w.ns, other}[i]
		for n := range each {
			pod := w.newPod(fmt.Sprintf("%s-%d", []string{"own", "kube"}[i], n), cpu("100m"), scheduler(name))
			if _, err := w.client.CoreV1().Pods(w.ns).Create(w.ctx, pod, metav1.CreateOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
	w.atLeast(2*each, 2*time.Minute)

	const full = "0/50 nodes are available: 50 Insufficient cpu."
	w.pods("fill", nodes*slots-2*each, cpu("100m"))
	w.atLeast(nodes*slots, time.Minute)
	w.pod("own-late", cpu("100m"))
	w.pod("kube-late", cpu("100m"), scheduler(other))
	for _, name := range []string{"own-late", "kube-late"} {
		if got := w.unschedulable(name, 20*time.Second).Message; got != full {
			t.Errorf("pod %s: %q, want %q", name, got, full)
		}
	}
	w.eachByItsOwn(other)
	w.prove()
}

// eachByItsOwn fails the test if the Event of a pod comes from another scheduler than the pod's.
func (w *world) eachByItsOwn(other string) {
	w.t.Helper()
	pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{})
	w.must(err)
	of := map[string]*corev1.Pod{}
	for i := range pods.Items {
		of[string(pods.Items[i].UID)] = &pods.Items[i]
	}
	events, err := w.client.EventsV1().Events(w.ns).List(w.ctx, metav1.ListOptions{})
	w.must(err)
	from := map[string]int{}
	for _, e := range events.Items {
		from[e.ReportingController]++
		if pod := of[string(e.Regarding.UID)]; pod != nil && pod.Spec.SchedulerName != e.ReportingController {
			w.t.Errorf("an event of %s about pod %s, which is for %s: %s", e.ReportingController, pod.Name, pod.Spec.SchedulerName, e.Note)
		}
	}
	if from[w.ns] == 0 || from[other] == 0 {
		w.t.Errorf("events are from %v, and not from both schedulers", from)
	}
}
