package history

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	helpers "k8s.io/component-helpers/resource"
)

// Proof is what a history shows.
type Proof struct {
	Bound    map[types.UID]string // each pod that ever had a node, and its first one
	Moved    []string             // pods that had another node, or none, later
	Overfull []string             // nodes whose pods requested more than the capacity
}

// Prove checks all events from the first one on and reports violations after the revision since.
func Prove(events []Event, since int64) Proof {
	w := NewWalk(since)
	for i := range events {
		w.Step(&events[i])
	}
	return w.Proof()
}

// Walk is Prove for one event at a time. Only one goroutine may use it.
type Walk struct {
	proof Proof
	nodes map[string]corev1.ResourceList // the capacity of each node; kept after a node is deleted, because its pods stay
	used  map[string]corev1.ResourceList // what the pods of each node request
	held  map[types.UID]holding
	since int64
}

// NewWalk has seen no event yet.
func NewWalk(since int64) *Walk {
	return &Walk{
		proof: Proof{Bound: map[types.UID]string{}},
		nodes: map[string]corev1.ResourceList{},
		used:  map[string]corev1.ResourceList{},
		held:  map[types.UID]holding{},
		since: since,
	}
}

// Step takes the next event.
func (w *Walk) Step(e *Event) {
	if e.Node != nil {
		w.node(e)
	} else {
		w.pod(e)
	}
}

// Proof returns the result for all events so far.
func (w *Walk) Proof() Proof { return w.proof }

// holding is what one pod requests on one node.
type holding struct {
	node     string
	requests corev1.ResourceList
}

func (w *Walk) violated(e *Event, list *[]string, format string, args ...any) {
	if e.Revision > w.since {
		*list = append(*list, fmt.Sprintf("revision %d: ", e.Revision)+fmt.Sprintf(format, args...))
	}
}

func (w *Walk) node(e *Event) {
	if !e.Deleted {
		w.nodes[e.Node.Name] = e.Node.Status.Allocatable
	}
}

func (w *Walk) pod(e *Event) {
	pod := e.Pod
	if name := pod.Spec.NodeName; name != "" {
		first, known := w.proof.Bound[pod.UID]
		switch {
		case !known:
			w.proof.Bound[pod.UID] = name
		case first != name:
			w.violated(e, &w.proof.Moved, "pod %s/%s (%s) is on node %s and was on %s", pod.Namespace, pod.Name, pod.UID, name, first)
		}
	} else if first, known := w.proof.Bound[pod.UID]; known {
		w.violated(e, &w.proof.Moved, "pod %s/%s (%s) has no node any more and was on %s", pod.Namespace, pod.Name, pod.UID, first)
	}
	w.release(pod.UID)
	over := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	if pod.Spec.NodeName != "" && !e.Deleted && !over {
		w.take(e)
	}
}

func (w *Walk) release(uid types.UID) {
	if h, ok := w.held[uid]; ok {
		for name, amount := range h.requests {
			left := w.used[h.node][name]
			left.Sub(amount)
			w.used[h.node][name] = left
		}
		delete(w.held, uid)
	}
}

func (w *Walk) take(e *Event) {
	node := e.Pod.Spec.NodeName
	requests := helpers.PodRequests(e.Pod, helpers.PodResourcesOptions{})
	requests[corev1.ResourcePods] = one
	if w.used[node] == nil {
		w.used[node] = corev1.ResourceList{}
	}
	has, known := w.nodes[node]
	for name, amount := range requests {
		sum := w.used[node][name]
		sum.Add(amount)
		w.used[node][name] = sum
		room := has[name]
		if known && !amount.IsZero() && sum.Cmp(room) > 0 {
			w.violated(e, &w.proof.Overfull, "node %s holds %s of %s %s with pod %s/%s", node, sum.String(), room.String(), name, e.Pod.Namespace, e.Pod.Name)
		}
	}
	w.held[e.Pod.UID] = holding{node, requests}
}

var one = *resource.NewQuantity(1, resource.DecimalSI)
