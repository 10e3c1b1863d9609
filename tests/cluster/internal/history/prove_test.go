package history

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func node(revision int64, cpu string) Event {
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourcePods: resource.MustParse("10")}
	return Event{Revision: revision, Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{Allocatable: room}}}
}

func pod(revision int64, uid, node string) Event {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: uid, UID: types.UID(uid)}, Spec: corev1.PodSpec{NodeName: node}}
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}}
	return Event{Revision: revision, Pod: p}
}

func gone(e Event) Event {
	e.Deleted = true
	return e
}

func succeeded(e Event) Event {
	e.Pod.Status.Phase = corev1.PodSucceeded
	return e
}

func TestProve(t *testing.T) {
	for name, c := range map[string]struct {
		events []Event
		since  int64
		want   string // part of the one violation; none when empty
	}{
		"in order":              {events: []Event{node(1, "1"), pod(2, "a", ""), pod(3, "a", "n"), gone(pod(4, "a", "n")), pod(5, "b", "n")}},
		"bound twice":           {events: []Event{node(1, "9"), pod(2, "a", "n"), pod(3, "a", "m")}, want: "is on node m and was on n"},
		"unbound":               {events: []Event{node(1, "9"), pod(2, "a", "n"), pod(3, "a", "")}, want: "no node any more"},
		"too much":              {events: []Event{node(1, "1"), pod(2, "a", "n"), pod(3, "b", "n")}, want: "node n holds 2 of 1 cpu"},
		"ended pods take none":  {events: []Event{node(1, "1"), succeeded(pod(2, "a", "n")), pod(3, "b", "n")}},
		"the past is forgiven":  {events: []Event{node(1, "1"), pod(2, "a", "n"), pod(3, "b", "n")}, since: 3},
		"but not its pods":      {events: []Event{node(1, "1"), pod(2, "a", "n"), pod(4, "b", "n")}, since: 3, want: "holds 2 of 1 cpu"},
		"an unknown node's own": {events: []Event{pod(2, "a", "n")}},
	} {
		t.Run(name, func(t *testing.T) {
			proof := Prove(c.events, c.since)
			got := append(proof.Moved, proof.Overfull...)
			if (c.want == "") != (len(got) == 0) || len(got) > 1 || (c.want != "" && !strings.Contains(got[0], c.want)) {
				t.Errorf("violations %q, want one with %q", got, c.want)
			}
		})
	}
}
