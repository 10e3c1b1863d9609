package generate

import (
	"fmt"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// newBudgets creates PodDisruptionBudgets for the labels of pods: exhausted ones, generous ones, empty and nil
// selectors, and some whose status already lists a disrupted pod.
func (g *gen) newBudgets() []runtime.Object {
	var list []runtime.Object
	for range g.between(0, 4) {
		b := &policyv1.PodDisruptionBudget{TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}}
		b.ObjectMeta = g.meta(pick(g, namespaces...), "")
		b.Name = "budget-" + b.ResourceVersion
		b.Spec.MinAvailable = ptr(intstr.FromInt32(1))
		b.Spec.Selector = g.selector()
		if g.chance(0.6) {
			b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": pick(g, appValues...)}}
		}
		b.Status.DisruptionsAllowed = int32(pick(g, 0, 0, 1, 1, 2, 5))
		list = append(list, b)
	}
	return list
}

// disrupt adds disrupted pods to a budget's status.
func (g *gen) disrupt(budgets []runtime.Object) {
	for _, obj := range budgets {
		b := obj.(*policyv1.PodDisruptionBudget)
		for _, p := range g.pods {
			if g.chance(0.1) && p.Namespace == b.Namespace {
				if b.Status.DisruptedPods == nil {
					b.Status.DisruptedPods = map[string]metav1.Time{}
				}
				b.Status.DisruptedPods[p.Name] = birth
			}
		}
	}
}

// rank sets a pod's attributes for preemption: its priority, its age, and whether it may preempt.
func (g *gen) rank(p *podState) {
	if !g.shows(preemption) {
		return
	}
	if p.bound {
		p.Spec.Priority = ptr(int32(pick(g, 0, 0, 1, 5, 10, -10, 100)))
		if p.DeletionTimestamp != nil && g.chance(0.6) {
			p.Status.Conditions = append(p.Status.Conditions, v1.PodCondition{
				Type: v1.DisruptionTarget, Status: v1.ConditionTrue, Reason: v1.PodReasonPreemptionByScheduler})
		}
		return
	}
	p.Spec.Priority = ptr(int32(pick(g, 0, 5, 10, 50, 100, 1000, 2000000000)))
	if g.chance(0.1) {
		p.Spec.PreemptionPolicy = ptr(v1.PreemptNever)
	}
}

// wholeProfile is the unchanged default profile, with every node as a candidate for preemption.
func (g *gen) wholeProfile(name string) object {
	return object{"schedulerName": name, "pluginConfig": append(g.pluginConfig(), object{
		"name": "DefaultPreemption", "args": object{"minCandidateNodesPercentage": 100, "minCandidateNodesAbsolute": 100},
	})}
}

// start sets the start time of a bound pod. Of two victims on one node with equal priority and start time, upstream
// takes the one that its cache lists first.
func (g *gen) start(p *podState) {
	g.started[p.Spec.NodeName]++
	p.Status.StartTime = ptr(metav1.NewTime(birth.Add(time.Duration(g.started[p.Spec.NodeName]) * time.Second)))
	if g.started[p.Spec.NodeName] == 1 && g.chance(0.3) {
		p.Status.StartTime = nil
	}
}

// fill fills nodes with bound pods that use all of the CPU.
func (g *gen) fill() {
	for _, n := range g.nodes {
		cpu := n.Status.Allocatable.Cpu().MilliValue()
		if cpu < 10 || cpu > 1_000_000 || g.chance(0.25) {
			continue
		}
		count := g.between(1, 5)
		for range count {
			p := g.newPod()
			p.Spec.SchedulingGates, p.waiting, p.bound = nil, false, true
			p.Spec.NodeName, p.Status.NominatedNodeName = n.Name, ""
			p.Status.Phase, p.DeletionTimestamp = v1.PodRunning, nil
			g.start(p)
			if g.chance(0.05) {
				p.DeletionTimestamp, p.DeletionGracePeriodSeconds = ptr(birth), ptr(int64(30))
			}
			g.rank(p)
			g.ask(p, cpu/int64(count))
		}
	}
}

// ask sets the CPU request of the pod's first container, in thousandths.
func (g *gen) ask(p *podState, milli int64) {
	c := &p.Spec.Containers[0]
	if c.Resources.Requests == nil {
		c.Resources.Requests = v1.ResourceList{}
	}
	c.Resources.Requests[v1.ResourceCPU] = *resource.NewMilliQuantity(milli, resource.DecimalSI)
}

// crowd makes a pending pod request a large part of some node.
func (g *gen) crowd(p *podState) {
	if p.bound || len(g.nodes) == 0 || !g.shows(preemption) {
		return
	}
	cpu := pick(g, g.nodes...).Status.Allocatable.Cpu().MilliValue()
	g.ask(p, cpu*int64(pick(g, 1, 2, 3, 4))/4)
}

// partPorts removes host ports from bound pods that share one on their node: when one of two such pods is deleted,
// upstream considers the port free.
func (g *gen) partPorts() {
	taken := map[string]bool{}
	for _, p := range g.pods {
		if !p.bound {
			continue
		}
		all(p.Pod, func(c *v1.Container) {
			c.Ports = slices.DeleteFunc(c.Ports, func(port v1.ContainerPort) bool {
				key := fmt.Sprint(p.Spec.NodeName, port.HostPort)
				shared := port.HostPort > 0 && taken[key]
				taken[key] = true
				return shared
			})
		})
	}
}
