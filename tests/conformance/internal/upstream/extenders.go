package upstream

import (
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"berth.dev/berth/tests/conformance/internal/result"
)

// extendersMatter returns whether upstream filters all nodes although no plugin scores them.
func (s *Simulation) extendersMatter() bool {
	return slices.ContainsFunc(s.sched.Extenders, func(e fwk.Extender) bool { return e.IsFilter() || e.IsPrioritizer() })
}

func (s *Simulation) mayBeBoundByExtender(pod *v1.Pod) bool {
	return slices.ContainsFunc(s.sched.Extenders, func(e fwk.Extender) bool { return e.IsBinder() && e.IsInterested(pod) })
}

// extend calls upstream's extenders, as findNodesThatPassExtenders does, and records their result for each node.
func (s *Simulation) extend(o *Outcome, pod *v1.Pod, feasible []fwk.NodeInfo, diagnosis framework.Diagnosis) ([]fwk.NodeInfo, error) {
	for _, extender := range s.sched.Extenders {
		if len(feasible) == 0 || !extender.IsInterested(pod) {
			continue
		}
		left, failed, hopeless, err := extender.Filter(pod, feasible)
		if err != nil && extender.IsIgnorable() {
			continue
		}
		if err != nil {
			return nil, err
		}
		o.drop(extender, feasible, left)
		for _, name := range slices.Sorted(maps.Keys(hopeless)) {
			o.refuse(extender, diagnosis, name, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, hopeless[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(failed)) {
			if _, both := hopeless[name]; !both {
				o.refuse(extender, diagnosis, name, fwk.NewStatus(fwk.Unschedulable, failed[name]))
			}
		}
		feasible = left
	}
	return feasible, nil
}

// drop marks the nodes that are not in `left`. Without a status they count as absent.
func (o *Outcome) drop(extender fwk.Extender, before, left []fwk.NodeInfo) {
	for _, n := range before {
		name := n.Node().Name
		if slices.ContainsFunc(left, func(l fwk.NodeInfo) bool { return l.Node().Name == name }) {
			continue
		}
		if o.dropped == nil {
			o.dropped = map[string]bool{}
		}
		o.dropped[name] = true
		*o.node(name) = result.Node{Name: name, Verdict: fwk.UnschedulableAndUnresolvable.String(), Plugin: extender.Name()}
	}
}

func (o *Outcome) refuse(extender fwk.Extender, diagnosis framework.Diagnosis, name string, status *fwk.Status) {
	diagnosis.NodeToStatus.Set(name, status)
	if o.refused == nil {
		o.refused = map[string]bool{}
	}
	o.refused[name] = true
	delete(o.dropped, name)
	said := result.Node{Name: name, Verdict: status.Code().String(), Plugin: extender.Name(), Reasons: status.Reasons()}
	if node := o.node(name); node != nil {
		*node = said
		return
	}
	o.foreign = slices.DeleteFunc(o.foreign, func(n result.Node) bool { return n.Name == name })
	o.foreign = append(o.foreign, said)
}

func (o *Outcome) node(name string) *result.Node {
	for i := range o.Nodes {
		if o.Nodes[i].Name == name {
			return &o.Nodes[i]
		}
	}
	return nil
}

// prioritize adds the extenders' scores, as prioritizeNodes does. Each extender that answers has a score for every
// node, possibly 0.
func (s *Simulation) prioritize(pod *v1.Pod, nodes []fwk.NodeInfo, scores []fwk.NodePluginScores) {
	for _, extender := range s.sched.Extenders {
		if !extender.IsPrioritizer() || !extender.IsInterested(pod) {
			continue
		}
		list, weight, err := extender.Prioritize(pod, nodes)
		if err != nil {
			continue
		}
		for i := range scores {
			var sum int64
			for _, one := range *list {
				if one.Host == scores[i].Name {
					sum += one.Score * weight * (fwk.MaxNodeScore / extenderv1.MaxExtenderPriority)
				}
			}
			scores[i].TotalScore += sum
			scores[i].Scores = append(scores[i].Scores, fwk.PluginScore{Name: extender.Name(), Score: sum})
		}
	}
}
