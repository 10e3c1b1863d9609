package upstream

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Place is the queue in which a pod waits.
type Place int

// The queues a pod can be taken from.
const (
	Active       Place = iota
	Backoff            // rejected before, requeued by an event; taken if no pod is active
	ErrorBackoff       // failed with an error, or there was no node; taken only after its backoff
)

// Queued is a pod that upstream will try now or later.
type Queued struct {
	Key   string
	Place Place
	Pod   *v1.Pod
	info  *framework.QueuedPodInfo
}

// Queue lists the pods waiting to be tried, by key.
func (s *Simulation) Queue() []Queued {
	var list []Queued
	for _, pod := range s.sched.SchedulingQueue.PodsInActiveQ() {
		list = append(list, s.asQueued(pod, Active))
	}
	for _, pod := range s.sched.SchedulingQueue.PodsInBackoffQ() {
		q := s.asQueued(pod, Backoff)
		if len(q.info.UnschedulablePlugins) == 0 && len(q.info.PendingPlugins) == 0 {
			q.Place = ErrorBackoff
			s.waited[q.Key] = true
		}
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b Queued) int { return strings.Compare(a.Key, b.Key) })
	return list
}

func (s *Simulation) asQueued(pod *v1.Pod, place Place) Queued {
	info, ok := s.sched.SchedulingQueue.GetPod(pod.Name, pod.Namespace)
	if !ok {
		panic("a pod the queue lists is not in the queue")
	}
	return Queued{Key: keyOf(pod), Place: place, Pod: info.Pod, info: info}
}

func (s *Simulation) queued(key string) (Queued, bool) {
	for _, q := range s.Queue() {
		if q.Key == key {
			return q, true
		}
	}
	return Queued{}, false
}

// MustPrecede returns whether upstream takes a before b regardless of how long both waited: QueueSort orders a first,
// and neither queue nor backoff can change that. Pods in the error backoff queue precede and follow nothing.
func (s *Simulation) MustPrecede(a, b Queued) bool {
	if a.Place == ErrorBackoff || b.Place == ErrorBackoff || (a.Place == Backoff && b.Place == Active) {
		return false
	}
	// After a pod has waited for an error backoff, time has passed for the simulator but not on upstream's clock, which
	// the judge drives.
	if a.Place == Backoff && len(s.waited) != 0 {
		return false
	}
	if a.Place == Backoff && b.Place == Backoff && a.info.BackoffExpiration.After(b.info.BackoffExpiration) {
		return false
	}
	return s.sched.Profiles[a.Pod.Spec.SchedulerName].QueueSortFunc()(a.info, b.info)
}

// Deleting returns whether upstream drops the pod at its turn, because it is being deleted.
func (q Queued) Deleting() bool { return q.Pod.DeletionTimestamp != nil }

// GatedPods maps every pod that a PreEnqueue plugin gates to the plugin's message.
func (s *Simulation) GatedPods() (map[string]string, error) {
	gated := map[string]string{}
	for _, pod := range s.sched.SchedulingQueue.UnschedulablePods() {
		info, ok := s.sched.SchedulingQueue.GetPod(pod.Name, pod.Namespace)
		if !ok || !info.Gated() {
			continue
		}
		text, err := s.gateText(info)
		if err != nil {
			return nil, err
		}
		gated[keyOf(pod)] = text
	}
	return gated, nil
}

func (s *Simulation) gateText(info *framework.QueuedPodInfo) (string, error) {
	for _, plugin := range s.sched.Profiles[info.Pod.Spec.SchedulerName].PreEnqueuePlugins() {
		if plugin.Name() == info.GatingPlugin {
			return plugin.PreEnqueue(s.ctx, info.Pod).Message(), nil
		}
	}
	return "", fmt.Errorf("pod %s is gated by %q, which is no PreEnqueue plugin of its profile", keyOf(info.Pod), info.GatingPlugin)
}

// UnservedPods lists the pods without a node that belong to no profile.
func (s *Simulation) UnservedPods() []string {
	var keys []string
	for _, obj := range s.informed.pods.GetIndexer().List() {
		pod := obj.(*v1.Pod)
		if pod.Spec.NodeName == "" && !s.sched.Profiles.HandlesSchedulerName(pod.Spec.SchedulerName) {
			keys = append(keys, keyOf(pod))
		}
	}
	slices.Sort(keys)
	return keys
}
