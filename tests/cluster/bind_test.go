package cluster

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

func TestAPodGetsItsNodeConditionAndEvent(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.nodes("node", 3)
	w.start(w.profile())
	w.pod("pod", cpu("100m"))
	pod := w.bound("pod", 10*time.Second)
	if c := condition(pod, corev1.PodScheduled); c.Status != corev1.ConditionTrue {
		t.Errorf("condition PodScheduled: %+v", *c)
	}
	e := w.event(pod, "Scheduled")
	if e.Type != "Normal" || e.Action != "Binding" || e.ReportingController != w.ns || e.Regarding.Kind != "Pod" ||
		!strings.HasPrefix(e.ReportingInstance, w.ns+"-") || e.Regarding.Name != "pod" ||
		e.Note != "Successfully assigned "+w.ns+"/pod to "+pod.Spec.NodeName {
		t.Errorf("event: %+v", e)
	}
	w.prove()
}

func TestAnUnschedulablePodSaysWhy(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.nodes("node", 2)
	w.node("tainted", func(n *fakelet.NodeSpec) {
		n.Taints = []corev1.Taint{{Key: "key", Effect: corev1.TaintEffectNoSchedule}}
	})
	w.start(w.profile() + withoutPreemption)
	pod := w.pod("pod", cpu("100"))
	const want = "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu."
	if got := w.unschedulable("pod", 10*time.Second).Message; got != want {
		t.Errorf("condition PodScheduled says %q, want %q", got, want)
	}
	e := w.event(pod, "FailedScheduling")
	if e.Type != "Warning" || e.Action != "Scheduling" || e.ReportingController != w.ns || e.Note != want {
		t.Errorf("event: %+v", e)
	}
}

func TestANewNodeWakesAPendingPod(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("small", func(n *fakelet.NodeSpec) { n.CPU = "1" })
	w.start(w.profile())
	w.pod("pod", cpu("2"))
	w.unschedulable("pod", 10*time.Second)
	time.Sleep(backoff) // then the pod waits for nothing but the node
	w.node("large")
	w.bound("pod", slack)
	w.prove()
}

func TestALabelWakesAPendingPodInItsBackoff(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node")
	w.start(w.profile("podInitialBackoffSeconds: 3"))
	w.pod("pod", selector("disk", "ssd"))
	w.unschedulable("pod", 10*time.Second)
	w.label("node", "disk", "ssd")
	// Without other work, the scheduler may try it before its backoff is over.
	w.bound("pod", 3*time.Second+slack)
}

func TestADeletedPodMakesRoom(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node", func(n *fakelet.NodeSpec) { n.CPU = "1" })
	w.start(w.profile())
	w.pod("first", cpu("1"))
	w.bound("first", 10*time.Second)
	w.pod("second", cpu("1"))
	w.unschedulable("second", 10*time.Second)
	time.Sleep(backoff)
	w.must(w.client.CoreV1().Pods(w.ns).Delete(w.ctx, "first", metav1.DeleteOptions{}))
	w.bound("second", slack)
	w.prove()
}

const (
	backoff = 1500 * time.Millisecond // the first one, and some slack
	slack   = 5 * time.Second         // how long a pod may wait after it is allowed; no timer of the queue wakes it so soon
)

func (w *world) label(node, key, value string) {
	w.t.Helper()
	patch := `{"metadata":{"labels":{"` + key + `":"` + value + `"}}}`
	_, err := w.client.CoreV1().Nodes().Patch(w.ctx, node, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	w.must(err)
}
