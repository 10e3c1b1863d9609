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

// Outage is an interval of revisions in which the API server was stopped or started: it has requests that it answers much later.
type Outage struct{ From, To int64 }

// mostInFlight is how many requests a replica has without an answer. Source: host/client/requests/request_queue.h kMostInFlight.
const mostInFlight = 64

// Fence finds bindings that their author made without holding the Lease. etcd has the order in which the API server made changes,
// not that of the requests. A server that was stopped, or that starts, holds requests until it is ready, and then carries them out
// in any order: a binding that was sent in time can come after the next holder. So in an outage, what a replica had in flight when
// it lost the Lease is late, not wrong. Only one goroutine may use it.
type Fence struct {
	holdings []Holding
	author   func(pod string) string
	outages  []Outage
	holder   string           // at the last event
	lost     map[string]int64 // by former holder: the revision at which it last lost the Lease
	late     map[string]int   // by former holder: late bindings since then
	bound    map[string]bool  // by UID
	unknown  map[string]int   // by holder
	nLate    int
	wrong    []string
}

// NewFence has seen no event yet. author returns who bound a pod (namespace/name), or "" if that is not known.
func NewFence(holdings []Holding, author func(pod string) string, outages ...Outage) *Fence {
	return &Fence{
		holdings: holdings, author: author, outages: outages,
		lost: map[string]int64{}, late: map[string]int{}, bound: map[string]bool{}, unknown: map[string]int{},
	}
}

// Step takes the next event.
func (f *Fence) Step(e *Event) {
	for len(f.holdings) > 0 && f.holdings[0].Revision <= e.Revision {
		f.lost[f.holder], f.late[f.holder] = f.holdings[0].Revision, 0
		f.holder = f.holdings[0].Holder
		f.holdings = f.holdings[1:]
	}
	pod := e.Pod
	if pod == nil || pod.Spec.NodeName == "" || f.bound[string(pod.UID)] {
		return
	}
	f.bound[string(pod.UID)] = true
	key := pod.Namespace + "/" + pod.Name
	by := f.author(key)
	if by == "" {
		f.unknown[f.holder]++
		return
	}
	if by == f.holder {
		return
	}
	if f.isLate(by, e.Revision) {
		f.nLate++
	} else {
		f.wrong = append(f.wrong, fmt.Sprintf("revision %d: %q bound pod %s while %q held the Lease", e.Revision, by, key, f.holder))
	}
}

// isLate says whether the replica lost the Lease in the outage of this revision, and may have had this binding in flight.
func (f *Fence) isLate(by string, revision int64) bool {
	lost, held := f.lost[by]
	for _, o := range f.outages {
		if held && o.From <= lost && o.From <= revision && revision <= o.To && f.late[by] < mostInFlight {
			f.late[by]++
			return true
		}
	}
	return false
}

// Late is the number of bindings that a server in an outage made after their author had lost the Lease.
func (f *Fence) Late() int { return f.nLate }

// Unknown is the number of bindings without a known author, by the holder of the Lease at that time.
func (f *Fence) Unknown() map[string]int { return f.unknown }

// Wrong has one sentence for each binding by a replica that did not hold the Lease.
func (f *Fence) Wrong() []string { return f.wrong }

// Fenced returns a Fence that has taken all events.
func Fenced(events []Event, holdings []Holding, author func(pod string) string) *Fence {
	fence := NewFence(holdings, author)
	for i := range events {
		fence.Step(&events[i])
	}
	return fence
}
