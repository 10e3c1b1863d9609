package nodes

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// diary records what happened to the pods of a namespace, and when.
type diary struct {
	mu      sync.Mutex
	created map[string]bool      // pods that exist or have existed
	bound   map[string]time.Time // pods that have a node, since when
	asked   map[string]time.Time // pods with a deletion timestamp, since when
	gone    map[string]time.Time
	last    map[string]*corev1.Pod // the last state of deleted pods
}

// watch keeps a diary until the test ends.
func (w *world) watch() *diary {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.ctx)
	w.t.Cleanup(stop)
	d := &diary{created: map[string]bool{}, bound: map[string]time.Time{}, asked: map[string]time.Time{}, gone: map[string]time.Time{}, last: map[string]*corev1.Pod{}}
	factory := informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithNamespace(w.ns))
	_, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { d.see(obj.(*corev1.Pod)) },
		UpdateFunc: func(_, obj any) { d.see(obj.(*corev1.Pod)) },
		DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok {
				d.see(pod)
				d.note(d.gone, pod.Name)
			}
		},
	})
	w.must(err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return d
}

func (d *diary) see(pod *corev1.Pod) {
	if pod.Spec.NodeName != "" {
		d.note(d.bound, pod.Name)
	}
	if pod.DeletionTimestamp != nil {
		d.note(d.asked, pod.Name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.created[pod.Name] = true
	d.last[pod.Name] = pod
}

// note records the time of the first call only.
func (d *diary) note(times map[string]time.Time, pod string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if times[pod].IsZero() {
		times[pod] = time.Now()
	}
}

// when returns a time of the diary, or zero if it is not recorded.
func (d *diary) when(times map[string]time.Time, pod string) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return times[pod]
}

// lastOf returns the last seen state of a pod.
func (d *diary) lastOf(pod string) *corev1.Pod {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last[pod]
}
