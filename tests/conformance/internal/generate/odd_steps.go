package generate

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Changes of quantities without an effect: other notations of the same number, and other numbers that are equal after
// rounding.

func (s *stepGen) respellNode() {
	if n := s.someNode(); n != nil {
		s.respell(n.DeepCopy())
	}
}

func (s *stepGen) respellWaiting() {
	if p := s.somePod(isWaiting); p != nil {
		s.respell(p.DeepCopy())
	}
}

func (s *stepGen) respellBound() {
	if p := s.somePod(isRunning); p != nil {
		s.respell(p.DeepCopy())
	}
}

// nudgeNode changes allocatable amounts slightly.
func (s *stepGen) nudgeNode() {
	if n := s.someNode(); n != nil {
		s.nudge(n.Status.Allocatable)
		s.objs = append(s.objs, n.DeepCopy())
	}
}

func (s *stepGen) nudgeWaiting() {
	if p := s.somePod(isWaiting); p != nil {
		s.nudgePod(p.Pod)
	}
}

func (s *stepGen) nudgeBound() {
	if p := s.somePod(isRunning); p != nil {
		s.nudgePod(p.Pod)
	}
}

func (s *stepGen) nudgePod(p *v1.Pod) {
	s.nudge(p.Spec.Containers[0].Resources.Requests)
	if p.Spec.Resources != nil && s.chance(0.5) {
		s.nudge(p.Spec.Resources.Requests)
		for name, q := range p.Spec.Resources.Requests {
			p.Spec.Resources.Requests[name] = plain(q)
		}
	}
	s.objs = append(s.objs, p.DeepCopy())
}

// nudge adds or subtracts less than a unit of cpu and memory, which may have fractions.
func (s *stepGen) nudge(list v1.ResourceList) {
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory} {
		q, ok := list[name]
		if !ok || s.chance(0.3) || !s.canGrow(name, q) {
			continue
		}
		sum := q.DeepCopy()
		sum.Add(resource.MustParse(pick(s.gen, "1n", "-1n", "1u", "-1u", "500u", "-500u", "1m", "-1m", "0.5", "-0.5")))
		if sum.Sign() >= 0 {
			list[name] = sum
		}
	}
}

// canGrow returns false for amounts at the limits of an int64.
func (s *stepGen) canGrow(name v1.ResourceName, q resource.Quantity) bool {
	limit := resource.MustParse("4Ei")
	if name == v1.ResourceCPU {
		limit = resource.MustParse("4P")
	}
	return q.Cmp(limit) < 0
}

func isWaiting(p *podState) bool { return p.waiting && p.DeletionTimestamp == nil }

func isRunning(p *podState) bool {
	return p.bound && p.Status.Phase != v1.PodSucceeded && p.Status.Phase != v1.PodFailed
}
