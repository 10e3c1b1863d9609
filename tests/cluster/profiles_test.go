package cluster

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestTwoProfilesServeTheirOwnPodsAndNobodyElses(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("plain")
	w.node("labelled")
	w.label("labelled", "profile", "second")
	w.start(w.profile() + "- schedulerName: " + w.ns + "-second\n" +
		"  pluginConfig:\n  - name: NodeAffinity\n    args:\n      apiVersion: kubescheduler.config.k8s.io/v1\n      kind: NodeAffinityArgs\n" +
		"      addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: profile, operator: Exists}]}]}}\n")
	w.pod("unserved", scheduler("nobody"))
	w.pods("first", 4)
	w.pods("second", 4, scheduler(w.ns+"-second"))
	w.atLeast(8, 10*time.Second)
	for _, name := range []string{"second-0", "second-1", "second-2", "second-3"} {
		pod := w.bound(name, time.Second)
		if pod.Spec.NodeName != "labelled" {
			t.Errorf("pod %s is on node %s; its profile's added affinity allows labelled only", name, pod.Spec.NodeName)
		}
		if from := w.event(pod, "Scheduled").ReportingController; from != w.ns+"-second" {
			t.Errorf("the event of pod %s is from %s", name, from)
		}
	}
	if from := w.event(w.bound("first-0", time.Second), "Scheduled").ReportingController; from != w.ns {
		t.Errorf("the event of pod first-0 is from %s", from)
	}
	w.untouched("unserved")
	w.prove()
}

// untouched fails the test if anything was written to the pod, or about it, since it was created.
func (w *world) untouched(name string) {
	w.t.Helper()
	pod, err := w.get(name)
	w.must(err)
	if pod.Spec.NodeName != "" || len(pod.Status.Conditions) != 0 || len(pod.ManagedFields) != 1 {
		w.t.Errorf("pod %s was changed: node %q, conditions %+v, managers %+v", name, pod.Spec.NodeName, pod.Status.Conditions, pod.ManagedFields)
	}
	list, err := w.client.EventsV1().Events(w.ns).List(w.ctx, metav1.ListOptions{})
	w.must(err)
	for _, e := range list.Items {
		if e.Regarding.UID == pod.UID {
			w.t.Errorf("an event about pod %s: %s", name, e.Note)
		}
	}
}

func TestAGatedPodWaitsForItsGatesAlone(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node")
	w.start(w.profile())
	w.pod("gated", gate("example.org/quota"))
	w.pod("later")
	w.bound("later", 10*time.Second) // the scheduler has seen the gated pod by now, which did not block the queue
	pod, err := w.get("gated")
	w.must(err)
	if c := condition(pod, corev1.PodScheduled); pod.Spec.NodeName != "" || c.Reason != corev1.PodReasonSchedulingGated {
		t.Errorf("the gated pod is on node %q, its condition is %+v", pod.Spec.NodeName, *c)
	}
	if events, err := w.events(pod, "FailedScheduling"); err != nil || len(events) > 0 {
		t.Errorf("the gated pod was tried: %v %v", events, err)
	}
	_, err = w.client.CoreV1().Pods(w.ns).Patch(w.ctx, "gated", types.MergePatchType, []byte(`{"spec":{"schedulingGates":null}}`), metav1.PatchOptions{})
	w.must(err)
	w.bound("gated", slack)
	w.prove()
}

func TestPodsThatWereThereBeforeTheSchedulerAreBound(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.nodes("node", 2)
	w.pods("pod", 20, cpu("800m"))
	w.start(w.profile())
	w.atLeast(20, 10*time.Second)
	w.prove()
}
