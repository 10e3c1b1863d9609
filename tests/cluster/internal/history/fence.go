package history

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// Holding says who holds a Lease from this revision on. Holder "": nobody.
type Holding struct {
	Revision int64
	Holder   string
}

// Holdings are the changes of a Lease's holder after this revision, in order.
func Holdings(ctx context.Context, etcd, namespace, name string, after int64) ([]Holding, error) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	key := "/registry/leases/" + namespace + "/" + name
	var holdings []Holding
	err := each(ctx, etcd, "/registry/leases/", after, func(e *clientv3.Event) error {
		if string(e.Kv.Key) != key {
			return nil
		}
		holder, err := holderAt(e)
		if err == nil && (len(holdings) == 0 || holdings[len(holdings)-1].Holder != holder) {
			holdings = append(holdings, Holding{e.Kv.ModRevision, holder})
		}
		return err
	})
	return holdings, err
}

func holderAt(e *clientv3.Event) (string, error) {
	if e.Type == clientv3.EventTypeDelete {
		return "", nil
	}
	obj, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), e.Kv.Value)
	if err != nil {
		return "", fmt.Errorf("%s at revision %d: %w", e.Kv.Key, e.Kv.ModRevision, err)
	}
	lease, ok := obj.(*coordinationv1.Lease)
	if !ok {
		return "", fmt.Errorf("%s at revision %d holds a %T", e.Kv.Key, e.Kv.ModRevision, obj)
	}
	if lease.Spec.HolderIdentity == nil {
		return "", nil
	}
	return *lease.Spec.HolderIdentity, nil
}

// Fence finds bindings that their author made without holding the Lease. Only one goroutine may use it.
type Fence struct {
	holdings []Holding
	author   func(pod string) string
	holder   string          // at the last event
	bound    map[string]bool // by UID
	wrong    []string
}

// NewFence has seen no event yet. author returns who bound a pod (namespace/name), or "" if that is not known.
func NewFence(holdings []Holding, author func(pod string) string) *Fence {
	return &Fence{holdings: holdings, author: author, bound: map[string]bool{}}
}

// Step takes the next event.
func (f *Fence) Step(e *Event) {
	for len(f.holdings) > 0 && f.holdings[0].Revision <= e.Revision {
		f.holder = f.holdings[0].Holder
		f.holdings = f.holdings[1:]
	}
	pod := e.Pod
	if pod == nil || pod.Spec.NodeName == "" || f.bound[string(pod.UID)] {
		return
	}
	f.bound[string(pod.UID)] = true
	key := pod.Namespace + "/" + pod.Name
	if by := f.author(key); by != "" && by != f.holder {
		f.wrong = append(f.wrong, fmt.Sprintf("revision %d: %q bound pod %s while %q held the Lease", e.Revision, by, key, f.holder))
	}
}

// Wrong has one sentence for each such binding.
func (f *Fence) Wrong() []string { return f.wrong }

// Fenced returns the result of a Fence for all events.
func Fenced(events []Event, holdings []Holding, author func(pod string) string) []string {
	fence := NewFence(holdings, author)
	for i := range events {
		fence.Step(&events[i])
	}
	return fence.Wrong()
}
