package cluster

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

func controlPlaneTaint(n *fakelet.NodeSpec) {
	n.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
}

// on puts a pod on a node without any scheduler.
func on(node string) podOption { return func(p *corev1.Pod) { p.Spec.NodeName = node } }

// The profile's one plugin prefers the node with the fewest pods. A pod for the default scheduler, which the
// configuration does not have, stays pending, and the log contains a warning.
func TestSeedMyScheduler(t *testing.T) {
	onlyBerth(t, "plugin MyScorePlugin")
	w := newWorld(t, time.Minute)
	w.node("master", controlPlaneTaint)
	w.nodes("node", 2)
	w.pods("proxy", 3, on("node-0"))
	w.pod("dns", on("node-1"))
	d := w.start(w.file("config/my-scheduler.yaml"))
	w.says(d, "default-scheduler", 10*time.Second)
	w.pod("forgotten", scheduler(corev1.DefaultSchedulerName))
	example := filepath.Join(root, "manifests/examples/my-scheduler")
	w.kubectl("apply", "-n", w.ns, "-f", filepath.Join(example, "nginx-pod.yaml"))
	pod := w.bound("nginx-pod", 10*time.Second)
	if note := w.event(pod, "Scheduled").Note; note != "Successfully assigned "+w.ns+"/nginx-pod to node-1" {
		t.Errorf("event: %s", note)
	}
	w.node("node-2")
	w.kubectl("apply", "-n", w.ns, "-f", filepath.Join(example, "nginx-deployment.yaml"))
	// 3, 2 and 0 pods, and 6 more: they even out.
	w.atLeast(3+1+1+6, 10*time.Second)
	w.even(map[string]int{"node-0": 3, "node-1": 4, "node-2": 4})
	w.untouched("forgotten")
	w.prove()
}

// even fails the test unless the numbers of pods on the nodes are these, in any order.
func (w *world) even(want map[string]int) {
	w.t.Helper()
	pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{})
	w.must(err)
	got, sizes := map[string]int{}, map[int]int{}
	for _, pod := range pods.Items {
		if pod.Spec.NodeName != "" {
			got[pod.Spec.NodeName]++
		}
	}
	for node := range want {
		sizes[want[node]]++
		sizes[got[node]]--
	}
	for _, difference := range sizes {
		if difference != 0 {
			w.t.Error(fmt.Sprintf("pods per node: %v, want %v in any order", got, want))
			return
		}
	}
}
