package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
)

// cycles runs upstream's unchanged ScheduleOne with its own DefaultPreemption, and simulates the API server: victims
// are deleted at once, and writes return through the informers. Used by one goroutine.
type cycles struct {
	sim    *Simulation
	pod    *v1.Pod // the pod that was popped last
	failed bool    // upstream's failure handler was called for it
}

// placeAll runs scheduling cycles until that many pods are bound.
func (s *Simulation) placeAll(pods int, out *Measured) error {
	c := &cycles{sim: s}
	c.watch()
	var others []time.Duration // of attempts that evicted no pod
	for bound, attempt := 0, 0; bound < pods; attempt++ {
		if len(s.sched.SchedulingQueue.PodsInActiveQ())+len(s.sched.SchedulingQueue.PodsInBackoffQ()) == 0 {
			return fmt.Errorf("nothing is left to try after %d pods were placed", bound)
		}
		start := time.Now()
		s.sched.ScheduleOne(s.ctx)
		evicted, err := c.settle()
		if err != nil {
			return fmt.Errorf("pod %s: %w", keyOf(c.pod), err)
		}
		if took := time.Since(start); evicted != 0 {
			out.Times = append(out.Times, took)
		} else {
			others = append(others, took)
		}
		out.Evicted += evicted
		if !c.failed {
			bound++
		}
		if attempt == 0 {
			out.begin()
			others = others[:0]
		}
	}
	if out.Evicted == 0 {
		out.Times = others
	}
	return nil
}

// watch records which pod upstream takes and whether it fails.
func (c *cycles) watch() {
	nextPod := c.sim.sched.NextPod
	c.sim.sched.NextPod = func(logger klog.Logger) (*framework.QueuedPodInfo, error) {
		info, err := nextPod(logger)
		if info != nil {
			c.pod, c.failed = info.Pod, false
		}
		return info, err
	}
	handleFailure := c.sim.sched.FailureHandler
	c.sim.sched.FailureHandler = func(ctx context.Context, profile framework.Framework, info *framework.QueuedPodInfo,
		status *fwk.Status, nominating *fwk.NominatingInfo, start time.Time) {
		c.failed = true
		handleFailure(ctx, profile, info, status, nominating, start)
	}
}

// settle waits for upstream's goroutines and delivers their writes. It returns the number of evicted pods.
func (c *cycles) settle() (int, error) {
	if !c.failed {
		return 0, c.confirm()
	}
	profile := c.sim.sched.Profiles[c.pod.Spec.SchedulerName]
	for _, plugin := range profile.PreEnqueuePlugins() {
		if preemption, ok := plugin.(*defaultpreemption.DefaultPreemption); ok {
			for preemption.Executor.IsPodRunningPreemption(c.pod.UID) {
				runtime.Gosched()
			}
		}
	}
	victims := c.sim.api.takeDeleted()
	for _, key := range victims {
		victim, err := c.sim.pod(key)
		if err != nil {
			return 0, err
		}
		c.sim.api.takePatch(key) // its condition, which is not needed any more
		if err := c.sim.informed.pods.remove(victim); err != nil {
			return 0, err
		}
	}
	stored, err := c.sim.pod(keyOf(c.pod))
	if err != nil {
		return 0, err
	}
	return len(victims), c.sim.deliverPatch(stored, keyOf(c.pod))
}

// confirm waits for the binding cycle and delivers the bound pod.
func (c *cycles) confirm() error {
	select {
	case <-c.sim.recorder.bound:
	case <-time.After(bindingPatience):
		return fmt.Errorf("upstream's binding cycle did not finish in %s", bindingPatience)
	}
	var binding v1.Binding
	if err := json.Unmarshal(c.sim.api.takeBinding(keyOf(c.pod)), &binding); err != nil {
		return err
	}
	stored, err := c.sim.pod(keyOf(c.pod))
	if err != nil {
		return err
	}
	bound := stored.DeepCopy()
	bound.Spec.NodeName = binding.Target.Name
	return c.sim.updatePod(stored, bound)
}
