package upstream

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Place says in which of upstream's queues a pod waits to be tried.
type Place int

// The queues a pod can be taken from.
const (
	Active       Place = iota
	Backoff            // rejected before, woken by an event; taken when nothing is active
	ErrorBackoff       // failed by an error, or there was no node at all; taken only when its backoff is over
)

// Queued is a pod upstream would try, now or in time.
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

// MustPrecede says whether upstream takes a before b however much time passed while both waited: QueueSort puts a
// first, and neither queue nor backoff could turn that round. Pods in the error backoff queue precede and follow
// nothing.
func (s *Simulation) MustPrecede(a, b Queued) bool {
	if a.Place == ErrorBackoff || b.Place == ErrorBackoff || (a.Place == Backoff && b.Place == Active) {
		return false
	}
	// Once a pod has sat out an error, time has passed that upstream, whose clock the judge drives, knows nothing of.
	if a.Place == Backoff && len(s.waited) != 0 {
		return false
	}
	if a.Place == Backoff && b.Place == Backoff && a.info.BackoffExpiration.After(b.info.BackoffExpiration) {
		return false
	}
	return s.sched.Profiles[a.Pod.Spec.SchedulerName].QueueSortFunc()(a.info, b.info)
}

// Deleting says whether upstream drops the pod when its turn comes, because it is being deleted.
func (q Queued) Deleting() bool { return q.Pod.DeletionTimestamp != nil }

// GatedPods maps every pod held back by a PreEnqueue plugin to the plugin's text.
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

// UnservedPods lists the pods without a node that no profile is responsible for.
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
