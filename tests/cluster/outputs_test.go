package cluster

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

const simulatorPrefix = "kube-scheduler-simulator.sigs.k8s.io/"

// results is an annotation of kube-scheduler-simulator: node, plugin, text.
type results map[string]map[string]string

func (w *world) annotated(name string) (filter, scores results, node string) {
	w.t.Helper()
	w.eventually(10*time.Second, func() error {
		pod, err := w.get(name)
		if err != nil {
			return err
		}
		for key, value := range map[string]*results{"filter-result": &filter, "finalscore-result": &scores} {
			if err := json.Unmarshal([]byte(pod.Annotations[simulatorPrefix+key]), value); err != nil {
				return fmt.Errorf("%s of pod %s: %v; it has %v", key, name, err, pod.Annotations)
			}
		}
		node = pod.Annotations[simulatorPrefix+"selected-node"]
		return nil
	})
	return filter, scores, node
}

// Events with details, and annotations: what they say, and that they cause no attempts.
func TestEventsAndAnnotationsSayMore(t *testing.T) {
	onlyBerth(t, "such events and annotations")
	w := newWorld(t, 2*time.Minute)
	w.node("small", func(n *fakelet.NodeSpec) { n.CPU = "2" })
	w.node("tainted", func(n *fakelet.NodeSpec) {
		n.Taints = []corev1.Taint{{Key: "dedicated", Value: "gpu", Effect: corev1.TaintEffectNoSchedule}}
	})
	d := w.start(w.profile()+withoutPreemption, func(o *daemon.Options) {
		o.Config += "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\ndecisions: {detailedEvents: true, annotations: true}\n"
	})

	// Without the permission, the pod is bound all the same.
	w.pod("first", cpu("100m"))
	w.bound("first", 10*time.Second)
	w.says(d, "Failed to patch the annotations of the pod.*first.*forbidden", 10*time.Second)

	user := string(controlplane.BerthScheduler)
	w.kubectl("create", "clusterrole", w.ns, "--verb=patch", "--resource=pods")
	defer w.kubectl("delete", "clusterrole", w.ns)
	w.kubectl("create", "clusterrolebinding", w.ns, "--clusterrole="+w.ns, "--user="+user)
	defer w.kubectl("delete", "clusterrolebinding", w.ns)
	w.eventually(10*time.Second, func() error {
		_, err := w.plane.Kubectl(w.ctx, "auth", "can-i", "patch", "pods", "-n", w.ns, "--as="+user)
		return err
	})

	pod := w.pod("waits", cpu("2500m"))
	const message = "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)."
	if got := w.unschedulable("waits", 10*time.Second).Message; got != message {
		t.Errorf("the condition says %q, want %q", got, message)
	}
	const details = " Closest: small lacks 600m cpu. Taints: dedicated=gpu:NoSchedule (1 node)."
	if note := w.event(pod, "FailedScheduling").Note; note != message+details {
		t.Errorf("the Event says %q, want %q", note, message+details)
	}
	filter, scores, node := w.annotated("waits")
	if node != "" || len(scores) != 0 || filter["small"]["NodeResourcesFit"] != "Insufficient cpu" ||
		!strings.HasPrefix(filter["tainted"]["TaintToleration"], "node(s) had untolerated taint") {
		t.Errorf("annotations of the pending pod: %v, %v, %q", filter, scores, node)
	}
	time.Sleep(3 * backoff) // an attempt because of the annotations would come after the backoff
	if n := w.why(d, "waits").Queue.Attempts; n != 1 {
		t.Errorf("%d attempts for a pod that nothing but its annotations has changed", n)
	}

	w.node("large")
	w.bound("waits", 10*time.Second)
	w.eventually(10*time.Second, func() error {
		if filter, scores, node = w.annotated("waits"); node != "large" {
			return fmt.Errorf("selected-node is %q", node)
		}
		return nil
	})
	if filter["large"]["NodeResourcesFit"] != "passed" || filter["small"]["NodeResourcesFit"] != "Insufficient cpu" {
		t.Errorf("annotations of the bound pod: %v", filter)
	}

	w.pod("chooses", cpu("100m"))
	bound := w.bound("chooses", 10*time.Second)
	filter, scores, node = w.annotated("chooses")
	if node != bound.Spec.NodeName || len(scores) != 2 || scores[node]["NodeResourcesFit"] == "" || len(filter) != 3 {
		t.Errorf("annotations of a pod with a choice: %v, %v, %q", filter, scores, node)
	}
	w.prove()
}
