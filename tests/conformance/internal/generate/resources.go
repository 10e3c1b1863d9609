package generate

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

var (
	podCPU = []string{"0", "1n", "1u", "500u", "1m", "99m", "100m", "0.1", "250m", "333m", "333333u", "1", "1500m", "1.5", "2",
		"3999m", "3999999999n", "4", "4001m", "1e1"}
	podMemory = []string{"0", "1", "100m", "1500m", "1Ki", "64Mi", "100Mi", "200Mi", "209715200", "209715199", "512Mi", "1Gi", "1G",
		"1073741825", "1.5Gi", "123456789", "2e9", "8Gi"}
	podOthers = map[v1.ResourceName][]string{
		v1.ResourceEphemeralStorage: {"0", "1", "1Gi", "10Gi", "10737418241", "500m"},
		"hugepages-2Mi":             {"2Mi", "64Mi", "66Mi", "0"},
		"hugepages-1Gi":             {"1Gi"},
		"example.com/gpu":           {"1", "2", "3", "8", "9", "0"},
		"example.com/foo":           {"1", "3", "50"},
		"other.org/bar":             {"1", "5", "6"},
		"kubernetes.io/thing":       {"1", "4", "11"},
		"attachable-volumes-aws":    {"1", "26"},
		"weird":                     {"1", "1000"},
	}
	// Digits below a thousandth, below a unit, below a nanounit; and numbers that take more than an int64 of nanounits.
	oddPodCPU = []string{"1e-10", "0.0000000001", "1e-9", "999999999n", "1000000001n", "0.5m", "500500u", "12345678901n", "1.0000000001",
		"15e-1", "150E-2", "3999.5m", "0.001k", "3999999u", "4000001u", "1001u", "2000u", "0.0999999999"}
	oddPodMemory = []string{"1e-12", "0.5", "1.000000001", "999999999n", "0.0000001Gi", "1.5Ki", "0.3Mi", "123456789.5", "0.1Gi", "3e8",
		"12345678901234567890n", "0.001Ti", "0.00001Pi", "0.00000001Ei", "1073741823.999999999", "1073741824000000001n", "5E-1", "1999m", "2000001u"}
	absentResource = v1.ResourceName("example.com/absent")
)

// setResources draws requests, limits without requests, overhead and pod-level resources.
func (g *gen) setResources(p *v1.Pod) {
	if !g.shows(resources) {
		if g.chance(0.5) {
			p.Spec.Containers[0].Resources.Requests = v1.ResourceList{
				v1.ResourceCPU:    resource.MustParse("100m"),
				v1.ResourceMemory: resource.MustParse("128Mi"),
			}
		}
		return
	}
	all(p, func(c *v1.Container) {
		if g.chance(0.85) {
			c.Resources.Requests = g.requests(0.8)
		}
		if g.chance(0.2) {
			c.Resources.Limits = g.requests(0.6)
		}
	})
	if g.hundred && g.chance(0.3) {
		c := &p.Spec.Containers[0]
		if c.Resources.Requests == nil {
			c.Resources.Requests = v1.ResourceList{}
		}
		g.addHundred(c.Resources.Requests, "1")
	}
	if g.chance(0.12) {
		p.Spec.Overhead = g.requests(0.5)
		p.Spec.RuntimeClassName = ptr("sandboxed")
	}
	if g.chance(0.15) {
		p.Spec.Resources = &v1.ResourceRequirements{Requests: g.podLevel()}
		if g.chance(0.4) {
			p.Spec.Resources.Limits = g.podLevel()
		}
	}
}

// addHundred adds up to a hundred extended resources: all of them, or all but a few.
func (g *gen) addHundred(list v1.ResourceList, values ...string) {
	missing := pick(g, 0, 0, 0.01, 0.3)
	for i := range 100 {
		if !g.chance(missing) {
			list[v1.ResourceName(fmt.Sprintf("example.com/r%02d", i))] = resource.MustParse(pick(g, values...))
		}
	}
}

// podLevel draws from the resources that pod-level requests support; an empty list and one without a supported name are
// possible.
func (g *gen) podLevel() v1.ResourceList {
	list := v1.ResourceList{}
	for _, name := range some(g, 0.55, v1.ResourceCPU, v1.ResourceMemory, "hugepages-2Mi") {
		list[name] = plain(g.quantity(name))
	}
	if g.chance(0.05) {
		list["example.com/gpu"] = g.quantity("example.com/gpu")
	}
	return list
}

// plain rounds quantities that need arbitrary precision even in canonical notation: kube-scheduler adds overheads to
// such pod-level requests each time it reads them (see README.md).
func plain(q resource.Quantity) resource.Quantity {
	stored := resource.MustParse(q.String())
	sum, before := stored, stored.DeepCopy()
	sum.Add(resource.MustParse("1"))
	if stored.Cmp(before) == 0 {
		return q
	}
	return *resource.NewQuantity(before.Value(), resource.DecimalSI)
}

// requests draws a list in which cpu and memory are present with probability p each.
func (g *gen) requests(p float64) v1.ResourceList {
	list := v1.ResourceList{}
	for _, name := range some(g, p, v1.ResourceCPU, v1.ResourceMemory) {
		list[name] = g.quantity(name)
	}
	if g.chance(0.25) {
		for _, name := range some(g, 0.15, otherNames...) {
			list[name] = g.quantity(name)
		}
	}
	if g.chance(0.01) {
		list[absentResource] = resource.MustParse(pick(g, "0", "1"))
	}
	return list
}

// quantity draws one of the listed values, or one that exactly fits some node or misses it by one unit.
func (g *gen) quantity(name v1.ResourceName) resource.Quantity {
	if g.huge && g.chance(0.2) && (name == v1.ResourceMemory || name == v1.ResourceCPU) {
		if name == v1.ResourceCPU {
			return resource.MustParse(pick(g, hugeCPU...))
		}
		return resource.MustParse(pick(g, hugePodMemory...))
	}
	if len(g.nodes) != 0 && g.chance(0.45) {
		if q, ok := pick(g, g.nodes...).Status.Allocatable[name]; ok {
			return g.near(name, q)
		}
	}
	if g.odd && g.chance(0.3) && (name == v1.ResourceMemory || name == v1.ResourceCPU) {
		if name == v1.ResourceCPU {
			return resource.MustParse(pick(g, oddPodCPU...))
		}
		return resource.MustParse(pick(g, oddPodMemory...))
	}
	switch name {
	case v1.ResourceCPU:
		return resource.MustParse(pick(g, podCPU...))
	case v1.ResourceMemory:
		return resource.MustParse(pick(g, podMemory...))
	}
	return resource.MustParse(pick(g, podOthers[name]...))
}

// near returns a part of q, off by one unit at most, and at most 1<<46. The unit is what the scheduler counts in.
func (g *gen) near(name v1.ResourceName, q resource.Quantity) resource.Quantity {
	value := q.Value()
	if name == v1.ResourceCPU {
		value = q.MilliValue()
	}
	value = value/int64(pick(g, 1, 2, 3, 4, 5, 8, 10, 20)) + int64(pick(g, 0, 0, 0, 1, -1))
	value = min(max(value, 0), 1<<46)
	if name == v1.ResourceCPU {
		return *resource.NewMilliQuantity(value, resource.DecimalSI)
	}
	return *resource.NewQuantity(value, pick(g, resource.BinarySI, resource.DecimalSI))
}

// resize gives a bound pod the statuses an in-place resize leaves behind.
func (g *gen) resize(p *v1.Pod) {
	statuses := func(containers []v1.Container) []v1.ContainerStatus {
		var list []v1.ContainerStatus
		for _, c := range containers {
			if g.chance(0.2) {
				continue
			}
			s := v1.ContainerStatus{Name: c.Name, Image: c.Image, Ready: true}
			if g.chance(0.8) {
				s.Resources = &v1.ResourceRequirements{Requests: g.requests(0.8)}
			}
			if g.chance(0.7) {
				s.AllocatedResources = g.requests(0.8)
			}
			list = append(list, s)
		}
		return list
	}
	p.Status.ContainerStatuses = statuses(p.Spec.Containers)
	p.Status.InitContainerStatuses = statuses(p.Spec.InitContainers)
	if g.chance(0.5) {
		p.Status.Conditions = append(p.Status.Conditions, v1.PodCondition{
			Type: v1.PodResizePending, Status: v1.ConditionTrue, Reason: pick(g, v1.PodReasonInfeasible, v1.PodReasonDeferred),
		})
	}
	if p.Spec.Resources != nil && g.chance(0.7) {
		p.Status.Resources = &v1.ResourceRequirements{Requests: g.podLevel()}
		if g.chance(0.6) {
			p.Status.AllocatedResources = g.podLevel()
		}
	}
}
