package generate

import (
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// newPod creates a pod: usually one to schedule, otherwise one that is already bound or that the scheduler ignores.
func (g *gen) newPod() *podState {
	name := fmt.Sprintf("pod-%d", g.serial)
	p := &v1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: g.meta(pick(g, namespaces...), name),
		Spec: v1.PodSpec{
			SchedulerName:                 pick(g, g.profiles...),
			RestartPolicy:                 v1.RestartPolicyAlways,
			DNSPolicy:                     v1.DNSClusterFirst,
			TerminationGracePeriodSeconds: ptr(int64(30)),
			EnableServiceLinks:            ptr(true),
			PreemptionPolicy:              ptr(v1.PreemptLowerPriority),
			Priority:                      ptr(int32(0)),
			SecurityContext:               &v1.PodSecurityContext{},
		},
		Status: v1.PodStatus{Phase: v1.PodPending, QOSClass: v1.PodQOSBurstable},
	}
	p.Labels = g.podLabels()
	g.setOwner(p)
	g.setContainers(p)
	g.setResources(p)
	p.Spec.Tolerations = g.tolerations()
	g.setAffinity(p)
	g.setPodAffinity(p)
	g.setSpread(p)
	g.setVolumes(p)
	g.setImages(p)
	g.setPorts(p)
	if g.shows(queue) {
		p.Spec.Priority = pick(g, nil, ptr(int32(0)), ptr(int32(1)), ptr(int32(100)), ptr(int32(-5)), ptr(int32(2000000000)),
			ptr(int32(-2147483648)))
	}
	state := &podState{Pod: p}
	g.settle(state)
	g.rank(state)
	g.crowd(state)
	if g.doses[stuck] > 0 && !state.bound && g.shows(stuck) {
		g.stick(state)
	}
	g.pods = append(g.pods, state)
	return state
}

// settle decides the state of a pod: bound, terminal, gated, blocked, nominated, of another scheduler, or to schedule.
func (g *gen) settle(p *podState) {
	switch {
	case g.chance(0.2), g.shows(preemption) && g.chance(0.5):
		g.bind(p)
		return
	case g.chance(0.02):
		p.Status.Phase = pick(g, v1.PodSucceeded, v1.PodFailed)
		return
	case g.shows(queue) && g.chance(0.04):
		p.Spec.SchedulerName = "somebody-else"
		return
	}
	if g.shows(gates) {
		for range g.between(1, 3) {
			name := fmt.Sprintf("example.com/gate-%d", len(p.Spec.SchedulingGates))
			p.Spec.SchedulingGates = append(p.Spec.SchedulingGates, v1.PodSchedulingGate{Name: name})
		}
		p.waiting = g.sure
	} else if g.chance(0.1) {
		g.block(p)
	}
	if g.shows(names) {
		g.nameNode(p)
	}
}

// bind puts the pod on a node, which usually exists, as an earlier scheduler would.
func (g *gen) bind(p *podState) {
	p.bound = true
	p.Spec.NodeName = g.nodeName(0.9)
	p.Status.Phase = pick(g, v1.PodRunning, v1.PodRunning, v1.PodPending)
	p.Status.StartTime = ptr(birth)
	if g.doses[preemption] > 0 {
		g.start(p)
	}
	if g.chance(0.08) {
		p.DeletionTimestamp = ptr(birth)
		p.DeletionGracePeriodSeconds = ptr(int64(30))
	}
	if g.chance(0.05) {
		p.Status.Phase = pick(g, v1.PodSucceeded, v1.PodFailed)
	}
	if g.shows(resources) && g.chance(0.5) {
		g.resize(p.Pod)
	}
}

// block makes the pod wait until a step removes the obstacle.
func (g *gen) block(p *podState) {
	if g.unlocked {
		return
	}
	p.waiting = g.sure
	switch {
	case g.walled && g.chance(0.6):
		p.Spec.Tolerations = slices.DeleteFunc(p.Spec.Tolerations, func(t v1.Toleration) bool { return t.Key == "" || t.Key == wallKey })
	case g.chance(0.5):
		p.Spec.NodeSelector = map[string]string{blockLabel: "true"}
	default:
		c := &p.Spec.Containers[0]
		if c.Resources.Requests == nil {
			c.Resources.Requests = v1.ResourceList{}
		}
		c.Resources.Requests[unobtainium] = resource.MustParse(pick(g, "1", "2"))
	}
}

// nameNode nominates a node, or requires one by name as a node's own controller does.
func (g *gen) nameNode(p *podState) {
	switch {
	case g.chance(0.5):
		p.Status.NominatedNodeName = g.nodeName(0.9)
	case g.chance(0.1):
		p.DeletionTimestamp = ptr(birth)
		p.DeletionGracePeriodSeconds = ptr(int64(30))
		p.Spec.SchedulingGates = nil
		p.waiting = false
	default:
		p.Spec.Affinity = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{
			NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchFields: []v1.NodeSelectorRequirement{
				{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{g.nodeName(0.9)}},
			}}},
		}}}
	}
}

// nodeName draws the name of a node, with probability p one that exists.
func (g *gen) nodeName(p float64) string {
	if len(g.nodes) != 0 && g.chance(p) {
		return pick(g, g.nodes...).Name
	}
	return "node-that-is-not"
}

// setContainers draws the pod's shape: containers, init containers and sidecars.
func (g *gen) setContainers(p *v1.Pod) {
	fancy := g.shows(resources)
	for i := range pick(g, 1, 1, 1, 2, 3) {
		p.Spec.Containers = append(p.Spec.Containers, container(fmt.Sprintf("c%d", i)))
	}
	if !fancy && !g.shows(images) && !g.shows(ports) {
		return
	}
	for i := range pick(g, 0, 0, 1, 2, 3) {
		c := container(fmt.Sprintf("i%d", i))
		if g.chance(0.45) {
			c.RestartPolicy = ptr(v1.ContainerRestartPolicyAlways)
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
}

func container(name string) v1.Container {
	return v1.Container{
		Name:                     name,
		Image:                    "registry.k8s.io/pause:3.10",
		ImagePullPolicy:          v1.PullIfNotPresent,
		TerminationMessagePath:   v1.TerminationMessagePathDefault,
		TerminationMessagePolicy: v1.TerminationMessageReadFile,
	}
}

// all visits every container of the pod, init containers first.
func all(p *v1.Pod, visit func(c *v1.Container)) {
	for i := range p.Spec.InitContainers {
		visit(&p.Spec.InitContainers[i])
	}
	for i := range p.Spec.Containers {
		visit(&p.Spec.Containers[i])
	}
}
