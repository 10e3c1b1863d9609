package upstream

import (
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Waiting lists the pods that an attempt could place, by key: those without a node whose profile exists, and that are
// neither gated nor being deleted.
func (s *Simulation) Waiting() ([]string, error) {
	gated, err := s.GatedPods()
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for _, obj := range s.informed.pods.GetIndexer().List() {
		pod := obj.(*v1.Pod)
		if _, isGated := gated[keyOf(pod)]; isGated || pod.Spec.NodeName != "" || pod.DeletionTimestamp != nil {
			continue
		}
		if s.sched.Profiles.HandlesSchedulerName(pod.Spec.SchedulerName) {
			keys[keyOf(pod)] = true
		}
	}
	return slices.Sorted(maps.Keys(keys)), nil
}

// Pod returns a copy of a pod as the API server has it.
func (s *Simulation) Pod(key string) (*v1.Pod, error) {
	pod, err := s.pod(key)
	if err != nil {
		return nil, err
	}
	return pod.DeepCopy(), nil
}

// Feasible runs PreFilter and, on all nodes, Filter for a pod that need not exist, and returns the names of the nodes
// that pass. Extenders are left out. An error is one of a plugin.
func (s *Simulation) Feasible(pod *v1.Pod) ([]string, error) {
	profile := s.sched.Profiles[pod.Spec.SchedulerName]
	if profile == nil {
		return nil, fmt.Errorf("no profile has schedulerName %q", pod.Spec.SchedulerName)
	}
	if err := s.sched.Cache.UpdateSnapshot(klog.FromContext(s.ctx), s.snapshot); err != nil {
		return nil, err
	}
	nodes, err := s.snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	state := framework.NewCycleState()
	narrowed, status, _ := profile.RunPreFilterPlugins(s.ctx, state, pod)
	if !status.IsSuccess() {
		if status.IsRejected() {
			return nil, nil
		}
		return nil, status.AsError()
	}
	var names []string
	for _, node := range nodes {
		name := node.Node().Name
		if !narrowed.AllNodes() && !narrowed.NodeNames.Has(name) {
			continue
		}
		switch status := profile.RunFilterPluginsWithNominatedPods(s.ctx, state, pod, node); {
		case status.Code() == fwk.Error:
			return nil, status.AsError()
		case status.IsSuccess():
			names = append(names, name)
		}
	}
	return names, nil
}

// FitsWithout returns whether a pod passes Filter on a node without the pods with these keys, and without those that
// are terminating, as preemption tries it.
func (s *Simulation) FitsWithout(pod *v1.Pod, node string, without []string) (bool, error) {
	profile := s.sched.Profiles[pod.Spec.SchedulerName]
	if profile == nil {
		return false, fmt.Errorf("no profile has schedulerName %q", pod.Spec.SchedulerName)
	}
	logger := klog.FromContext(s.ctx)
	if err := s.sched.Cache.UpdateSnapshot(logger, s.snapshot); err != nil {
		return false, err
	}
	state := framework.NewCycleState()
	if _, status, _ := profile.RunPreFilterPlugins(s.ctx, state, pod); !status.IsSuccess() {
		return false, status.AsError()
	}
	known, err := s.snapshot.NodeInfos().Get(node)
	if err != nil {
		return false, err
	}
	info, without := known.Snapshot(), slices.Clone(without)
	for _, one := range known.GetPods() {
		if one.GetPod().DeletionTimestamp != nil {
			without = append(without, keyOf(one.GetPod()))
		}
	}
	for _, key := range without {
		at := slices.IndexFunc(info.GetPods(), func(one fwk.PodInfo) bool { return keyOf(one.GetPod()) == key })
		if at < 0 {
			return false, fmt.Errorf("there is no pod %s on node %s", key, node)
		}
		gone := info.GetPods()[at]
		if err := info.RemovePod(logger, gone.GetPod()); err != nil {
			return false, err
		}
		if status := profile.RunPreFilterExtensionRemovePod(s.ctx, state, pod, gone, info); !status.IsSuccess() {
			return false, status.AsError()
		}
	}
	status := profile.RunFilterPluginsWithNominatedPods(s.ctx, state, pod, info)
	if status.Code() == fwk.Error {
		return false, status.AsError()
	}
	return status.IsSuccess(), nil
}
