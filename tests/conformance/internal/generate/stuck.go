package generate

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	nowhere  = "berth.test/nowhere" // a label that no node has
	heldPort = 7777                 // a host port that pods on most nodes have
)

// stick gives a pod one to three obstacles. Without them, it would usually fit.
func (g *gen) stick(p *podState) {
	obstacles := []func(p *v1.Pod){g.overask, g.overask, g.refuse, g.selectNowhere, g.requireNowhere, g.spreadNowhere, g.shareHeldPort, g.followNobody}
	g.Shuffle(len(obstacles), func(i, j int) { obstacles[i], obstacles[j] = obstacles[j], obstacles[i] })
	for _, add := range obstacles[:pick(g, 1, 1, 2, 2, 3)] {
		add(p.Pod)
	}
}

// overask requests somewhat more than some node has, in one container or spread over them.
func (g *gen) overask(p *v1.Pod) {
	if len(g.nodes) == 0 {
		return
	}
	name := pick(g, v1.ResourceCPU, v1.ResourceMemory, v1.ResourceCPU, v1.ResourceMemory, v1.ResourceName("example.com/gpu"))
	q := pick(g, g.nodes...).Status.Allocatable[name]
	value := q.Value()
	if name == v1.ResourceCPU {
		value = q.MilliValue()
	}
	value = min(max(value, 0), 1<<46) + int64(pick(g, 1, 2, 100, 1000))
	c := &p.Spec.Containers[g.IntN(len(p.Spec.Containers))]
	if c.Resources.Requests == nil {
		c.Resources.Requests = v1.ResourceList{}
	}
	asked := *resource.NewQuantity(value, resource.DecimalSI)
	if name == v1.ResourceCPU {
		asked = *resource.NewMilliQuantity(value, resource.DecimalSI)
	}
	c.Resources.Requests[name] = asked
	delete(c.Resources.Limits, name)
	if name != v1.ResourceCPU && name != v1.ResourceMemory {
		if c.Resources.Limits == nil {
			c.Resources.Limits = v1.ResourceList{}
		}
		c.Resources.Limits[name] = asked
	}
}

func (g *gen) refuse(p *v1.Pod) { p.Spec.Tolerations = nil }

func (g *gen) selectNowhere(p *v1.Pod) { p.Spec.NodeSelector = map[string]string{nowhere: "true"} }

func (g *gen) affinityOf(p *v1.Pod) *v1.Affinity {
	if p.Spec.Affinity == nil {
		p.Spec.Affinity = &v1.Affinity{}
	}
	return p.Spec.Affinity
}

func (g *gen) requireNowhere(p *v1.Pod) {
	affinity := g.affinityOf(p)
	if affinity.NodeAffinity == nil {
		affinity.NodeAffinity = &v1.NodeAffinity{}
	}
	affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{
		{MatchExpressions: []v1.NodeSelectorRequirement{{Key: nowhere, Operator: v1.NodeSelectorOpExists}}},
	}}
}

// spreadNowhere requires what no node can give, sometimes beside a soft constraint with the same key.
func (g *gen) spreadNowhere(p *v1.Pod) {
	key := pick(g, nowhere, nowhere, v1.LabelTopologyZone)
	hard := v1.TopologySpreadConstraint{MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: v1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": p.Labels["app"]}}}
	if key != nowhere || g.chance(0.3) {
		hard.MinDomains = ptr(int32(pick(g, 1, 7)))
	}
	list := []v1.TopologySpreadConstraint{hard}
	if g.chance(0.3) {
		soft := *hard.DeepCopy()
		soft.WhenUnsatisfiable, soft.MinDomains = v1.ScheduleAnyway, nil
		list = append(list, soft)
		g.Shuffle(2, func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	p.Spec.TopologySpreadConstraints = list
}

// shareHeldPort adds a host port that pods on most nodes have, among ports that are none, sometimes with the host
// network.
func (g *gen) shareHeldPort(p *v1.Pod) {
	held := v1.ContainerPort{Name: "held", ContainerPort: heldPort, HostPort: heldPort, Protocol: v1.ProtocolTCP}
	c := &p.Spec.Containers[g.IntN(len(p.Spec.Containers))]
	c.Ports = []v1.ContainerPort{{Name: "plain", ContainerPort: 80, Protocol: v1.ProtocolTCP}, held}
	if g.chance(0.25) {
		p.Spec.HostNetwork = true
		all(p, func(c *v1.Container) {
			for i := range c.Ports {
				c.Ports[i].HostPort = c.Ports[i].ContainerPort
			}
		})
	}
	g.Shuffle(len(c.Ports), func(i, j int) { c.Ports[i], c.Ports[j] = c.Ports[j], c.Ports[i] })
}

// followNobody requires to be near pods that do not exist.
func (g *gen) followNobody(p *v1.Pod) {
	g.affinityOf(p).PodAffinity = &v1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []v1.PodAffinityTerm{{
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "nobody"}}, TopologyKey: v1.LabelHostname,
	}}}
}

// holdPort puts a pod with the held port on most nodes.
func (g *gen) holdPort() {
	for _, n := range g.nodes {
		if g.chance(0.1) {
			continue
		}
		p := g.newPod()
		p.Spec.SchedulingGates, p.waiting, p.bound = nil, false, true
		p.Spec.NodeName, p.Status.NominatedNodeName = n.Name, ""
		p.Status.Phase, p.DeletionTimestamp = v1.PodRunning, nil
		p.Spec.Affinity, p.Spec.HostNetwork = nil, false
		p.Spec.Containers = []v1.Container{container("holder")}
		p.Spec.InitContainers, p.Spec.Resources, p.Spec.Overhead, p.Spec.RuntimeClassName = nil, nil, nil, nil
		p.Spec.Containers[0].Ports = []v1.ContainerPort{{ContainerPort: heldPort, HostPort: heldPort, Protocol: v1.ProtocolTCP}}
	}
}
