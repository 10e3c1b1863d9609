package cluster

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/history"
)

// condition is the pod's condition of this type, or an empty one.
func condition(pod *corev1.Pod, which corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == which {
			return &pod.Status.Conditions[i]
		}
	}
	return &corev1.PodCondition{}
}

// unschedulable waits until the pod is unschedulable and returns its condition.
func (w *world) unschedulable(name string, patience time.Duration) *corev1.PodCondition {
	w.t.Helper()
	var c *corev1.PodCondition
	w.eventually(patience, func() error {
		pod, err := w.get(name)
		if err != nil {
			return err
		}
		if c = condition(pod, corev1.PodScheduled); c.Status != corev1.ConditionFalse || c.Reason != corev1.PodReasonUnschedulable {
			return fmt.Errorf("pod %s is not unschedulable: %+v", name, *c)
		}
		return nil
	})
	return c
}

// events are those about pod with this reason.
func (w *world) events(pod *corev1.Pod, reason string) ([]eventsv1.Event, error) {
	list, err := w.client.EventsV1().Events(w.ns).List(w.ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
	if err != nil {
		return nil, err
	}
	var about []eventsv1.Event
	for _, e := range list.Items {
		if e.Regarding.UID == pod.UID {
			about = append(about, e)
		}
	}
	return about, nil
}

// event waits for the first of them.
func (w *world) event(pod *corev1.Pod, reason string) eventsv1.Event {
	w.t.Helper()
	var events []eventsv1.Event
	w.eventually(10*time.Second, func() (err error) {
		if events, err = w.events(pod, reason); err == nil && len(events) == 0 {
			err = fmt.Errorf("pod %s has no event %s", pod.Name, reason)
		}
		return err
	})
	return events[0]
}

// prove reads the history and fails the test if a pod was on two nodes or a node was overcommitted.
func (w *world) prove() history.Proof {
	w.t.Helper()
	proof := w.past()
	w.none("pods that did not stay on their node", proof.Moved)
	w.none("nodes that held more than they have", proof.Overfull)
	return proof
}

func (w *world) past() history.Proof {
	w.t.Helper()
	// Before the test there was no node, and no pod on one.
	events, err := history.Read(w.ctx, w.plane.Etcd, w.since)
	w.must(err)
	return history.Prove(events, w.since)
}

func (w *world) none(what string, cases []string) {
	w.t.Helper()
	if len(cases) > 0 {
		w.t.Errorf("%s, %d cases, the first:\n%s", what, len(cases), strings.Join(cases[:min(5, len(cases))], "\n"))
	}
}
