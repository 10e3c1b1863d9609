package upstream

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/klog/v2"

	"berth.dev/berth/tests/conformance/internal/result"
)

// Load passes an object of the initial manifests to upstream's informer handlers.
func (s *Simulation) Load(obj runtime.Object) error {
	return s.apply(obj, false)
}

// Step passes an object of a step to upstream's informer handlers: it adds a new object, updates a known one, and
// removes one with a deletionTimestamp.
func (s *Simulation) Step(obj runtime.Object) error {
	return s.apply(obj, true)
}

// Attempt lets upstream take the pod from its queue and run one whole scheduling cycle, and the binding cycle after it,
// with choose deciding between the nodes. The pod must be queued.
//
// wish is the choice of preemption, if upstream allows it.
func (s *Simulation) Attempt(key string, choose Choose, wish Wish) (*Outcome, error) {
	stored, err := s.pod(key)
	if err != nil {
		return nil, err
	}
	s.tick()
	s.next, s.choose, s.current = stored, choose, nil
	s.wish, s.evicted = wish, nil
	s.sched.ScheduleOne(s.ctx)
	if n := len(s.sched.SchedulingQueue.InFlightPods()); n != 0 && s.current == nil {
		return nil, fmt.Errorf("%d pods are in flight after a cycle that tried nothing", n)
	}
	o := s.current
	switch {
	case o == nil:
		return &Outcome{Attempt: result.Attempt{Pod: key}, Skipped: true}, nil
	case o.Result == result.Scheduled:
		return o, s.confirmBinding(stored, o)
	default:
		return o, s.deliverFailure(stored, key)
	}
}

// Evaluate returns the outcome of an attempt now, without making it.
func (s *Simulation) Evaluate(key string) (*Outcome, error) {
	queued, ok := s.queued(key)
	if !ok {
		return nil, fmt.Errorf("pod %s is not queued", key)
	}
	if err := s.sched.Cache.UpdateSnapshot(klog.FromContext(s.ctx), s.snapshot); err != nil {
		return nil, err
	}
	return s.evaluate(s.ctx, s.sched.Profiles[queued.Pod.Spec.SchedulerName], queued.Pod), nil
}

// confirmBinding waits for the binding cycle and delivers the bound pod through the informer.
func (s *Simulation) confirmBinding(stored *v1.Pod, o *Outcome) error {
	select {
	case <-s.recorder.bound:
	case <-time.After(bindingPatience):
		return fmt.Errorf("pod %s: upstream's binding cycle did not finish in %s", o.Pod, bindingPatience)
	}
	if data := s.api.takeBinding(o.Pod); data != nil || !s.mayBeBoundByExtender(stored) {
		var binding v1.Binding
		if err := json.Unmarshal(data, &binding); err != nil {
			return fmt.Errorf("pod %s: upstream's binding does not parse: %w", o.Pod, err)
		}
		if binding.Target.Name != o.Node || binding.UID != stored.UID {
			return fmt.Errorf("pod %s: upstream bound uid %s to %s, not uid %s to %s", o.Pod, binding.UID, binding.Target.Name, stored.UID, o.Node)
		}
	}
	bound := stored.DeepCopy()
	bound.Spec.NodeName = o.Node
	return s.updatePod(stored, bound)
}

// deliverFailure reports the writes of a failed attempt to upstream's handlers: the pod's own status, cleared
// nominations of others, and the victims, which are deleted at once.
func (s *Simulation) deliverFailure(stored *v1.Pod, key string) error {
	for _, victim := range s.evicted {
		if known, exists, err := s.informed.pods.GetIndexer().GetByKey(keyOf(victim)); err != nil || !exists {
			return fmt.Errorf("pod %s: its victim %s is not there: %v", key, keyOf(victim), err)
		} else if err := s.informed.pods.remove(known.(*v1.Pod)); err != nil {
			return err
		}
	}
	if err := s.deliverPatch(stored, key); err != nil {
		return err
	}
	for _, other := range s.api.patched() {
		stored, err := s.pod(other)
		if err != nil {
			return err
		}
		if err := s.deliverPatch(stored, other); err != nil {
			return err
		}
	}
	return nil
}

// deliverPatch applies the status patch upstream wrote, as the API server would, and delivers the pod through the
// informer.
func (s *Simulation) deliverPatch(stored *v1.Pod, key string) error {
	patch := s.api.takePatch(key)
	if patch == nil {
		return nil
	}
	before, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, v1.Pod{})
	if err != nil {
		return fmt.Errorf("pod %s: upstream's status patch does not apply: %w", key, err)
	}
	var pod v1.Pod
	if err := json.Unmarshal(after, &pod); err != nil {
		return err
	}
	return s.updatePod(stored, &pod)
}

func (s *Simulation) apply(obj runtime.Object, removing bool) error {
	switch o := obj.(type) {
	case *v1.Node:
		return s.applyNode(o.DeepCopy(), removing && o.DeletionTimestamp != nil)
	case *v1.Pod:
		return s.applyPod(o.DeepCopy(), removing && o.DeletionTimestamp != nil)
	}
	return s.applyOther(obj.DeepCopyObject(), removing)
}

// applyOther handles objects of all other kinds. It ignores a kind that no plugin of the configuration uses.
func (s *Simulation) applyOther(obj runtime.Object, removing bool) error {
	informer := s.informed.of(obj)
	if informer == nil {
		return nil
	}
	object, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	s.stamp(object)
	known, exists, err := informer.GetIndexer().Get(obj)
	remove := removing && object.GetDeletionTimestamp() != nil
	switch {
	case err != nil:
		return err
	case remove && exists:
		return informer.remove(known.(runtime.Object))
	case remove:
		return nil
	case exists:
		return informer.update(known.(runtime.Object), obj)
	}
	return informer.add(obj)
}

func (s *Simulation) applyNode(node *v1.Node, remove bool) error {
	s.stamp(node)
	known, exists, err := s.informed.nodes.GetIndexer().GetByKey(node.Name)
	switch {
	case err != nil:
		return err
	case remove && exists:
		return s.informed.nodes.remove(known.(*v1.Node))
	case remove:
		return nil
	case exists:
		return s.informed.nodes.update(known.(*v1.Node), node)
	}
	return s.informed.nodes.add(node)
}

// applyPod acts as the pod informer of kube-scheduler, which selects pods that are neither Succeeded nor Failed.
func (s *Simulation) applyPod(pod *v1.Pod, remove bool) error {
	s.stamp(pod)
	remove = remove || pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
	found, exists, err := s.informed.pods.GetIndexer().GetByKey(keyOf(pod))
	if err != nil {
		return err
	}
	if !exists {
		if remove {
			return nil
		}
		return s.informed.pods.add(pod)
	}
	known := found.(*v1.Pod)
	if remove {
		return s.informed.pods.remove(known)
	}
	if known.UID != pod.UID {
		if err := s.informed.pods.remove(known); err != nil {
			return err
		}
		return s.informed.pods.add(pod)
	}
	if known.Spec.NodeName != "" && known.Spec.NodeName != pod.Spec.NodeName {
		return fmt.Errorf("a step moves pod %s from node %q to %q; the API server refuses that", keyOf(pod), known.Spec.NodeName, pod.Spec.NodeName)
	}
	return s.informed.pods.update(known, pod)
}

func (s *Simulation) updatePod(old, pod *v1.Pod) error {
	s.stamp(pod)
	return s.informed.pods.update(old, pod)
}

func (s *Simulation) pod(key string) (*v1.Pod, error) {
	found, exists, err := s.informed.pods.GetIndexer().GetByKey(key)
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, fmt.Errorf("there is no pod %s", key)
	}
	return found.(*v1.Pod), nil
}

// stamp sets an object's resourceVersion as a write would, and advances the clock by a microsecond, because the queue
// orders equal priorities by time.
func (s *Simulation) stamp(obj metav1.Object) {
	s.versions++
	obj.SetResourceVersion("judge-" + strconv.Itoa(s.versions))
	s.tick()
}

func (s *Simulation) tick() { s.clock.Step(time.Microsecond) }
