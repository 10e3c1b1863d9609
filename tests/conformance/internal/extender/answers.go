package extender

import (
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
)

// hash distributes its input evenly.
func (m Manner) hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, part := range append([]string{text(m.Seed)}, parts...) {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// happens returns true with this probability in percent.
func (m Manner) happens(percent int, parts ...string) bool {
	return int(m.hash(parts...)%100) < percent
}

// A candidate is a node in a request; `what` is everything sent about it.
type candidate struct{ name, what string }

func candidates(args *extenderv1.ExtenderArgs) []candidate {
	var list []candidate
	if args.NodeNames != nil {
		for _, name := range *args.NodeNames {
			list = append(list, candidate{name, name})
		}
	}
	if args.Nodes != nil {
		for i := range args.Nodes.Items {
			n := &args.Nodes.Items[i]
			list = append(list, candidate{n.Name, text(n.Name, n.Labels, n.Annotations, n.Spec, n.Status.Allocatable, n.Status.Images)})
		}
	}
	return list
}

func (m Manner) judge(verb string, args *extenderv1.ExtenderArgs) (any, error) {
	if (args.Nodes == nil) == (args.NodeNames == nil) {
		return nil, errors.New("neither or both of Nodes and NodeNames")
	}
	pod := seen(args.Pod)
	if verb == "prioritize" {
		if m.happens(m.Fail, "prioritize fails", pod) {
			return nil, errors.New("no scores today")
		}
		return m.scores(pod, candidates(args)), nil
	}
	switch {
	case m.happens(m.Fail, "filter fails", pod):
		return nil, errors.New("no filter today")
	case m.happens(m.Fail, "filter complains", pod):
		return &extenderv1.ExtenderFilterResult{Error: "complaint about " + args.Pod.Name}, nil
	case args.NodeNames != nil && m.happens(m.Fail, "filter makes nodes up", pod):
		return &extenderv1.ExtenderFilterResult{NodeNames: &[]string{"made-up"}}, nil
	}
	return m.filter(pod, args), nil
}

func (m Manner) filter(pod string, args *extenderv1.ExtenderArgs) *extenderv1.ExtenderFilterResult {
	out := &extenderv1.ExtenderFilterResult{
		FailedNodes: extenderv1.FailedNodesMap{}, FailedAndUnresolvableNodes: extenderv1.FailedNodesMap{}}
	passed := map[string]bool{}
	for _, node := range candidates(args) {
		says := []string{"not on this node", "the extender has its doubts", ""}[m.hash("says", pod, node.what)%3]
		draw := int(m.hash("filter", pod, node.what) % 100)
		switch {
		case draw < m.Refuse:
			out.FailedNodes[node.name] = says
			if m.happens(m.Twice, "twice", pod, node.what) {
				out.FailedAndUnresolvableNodes[node.name] = says + " and never"
			}
		case draw < m.Refuse+m.Unresolvable:
			out.FailedAndUnresolvableNodes[node.name] = says
		case draw < m.Refuse+m.Unresolvable+m.Drop:
		default:
			passed[node.name] = true
		}
	}
	if m.happens(m.Beyond, "beyond", pod) {
		out.FailedNodes["node-beyond"] = "nobody asked"
	}
	if args.NodeNames != nil {
		names := slices.DeleteFunc(slices.Clone(*args.NodeNames), func(name string) bool { return !passed[name] })
		out.NodeNames = &names
		return out
	}
	out.Nodes = &v1.NodeList{Items: slices.DeleteFunc(args.Nodes.Items, func(n v1.Node) bool { return !passed[n.Name] })}
	return out
}

// scores omits nodes, repeats some, and sometimes returns invalid scores.
func (m Manner) scores(pod string, nodes []candidate) extenderv1.HostPriorityList {
	list := extenderv1.HostPriorityList{}
	for _, node := range nodes {
		score := int64(m.hash("score", pod, node.what) % 11)
		switch m.hash("odd", pod, node.what) % 20 {
		case 0:
			continue
		case 1:
			list = append(list, extenderv1.HostPriority{Host: node.name, Score: 1})
		case 2:
			score = -score
		case 3:
			score *= 1000
		}
		list = append(list, extenderv1.HostPriority{Host: node.name, Score: score})
	}
	if m.happens(m.Beyond, "beyond", pod) {
		list = append(list, extenderv1.HostPriority{Host: "node-beyond", Score: 10})
	}
	return list
}

func (m Manner) bind(args *extenderv1.ExtenderBindingArgs) (any, error) {
	who := text(args.PodNamespace, args.PodName, args.PodUID)
	switch {
	case m.happens(m.Fail, "bind fails", who):
		return nil, errors.New("no binding today")
	case m.happens(m.Fail, "bind complains", who):
		return &extenderv1.ExtenderBindingResult{Error: "complaint about " + args.PodName}, nil
	}
	return &extenderv1.ExtenderBindingResult{}, nil
}

// byUID sorts equal victims, so that the answer does not depend on their order in the request.
func byUID(pods []*extenderv1.MetaPod) {
	slices.SortFunc(pods, func(a, b *extenderv1.MetaPod) int { return strings.Compare(a.UID, b.UID) })
}

// preempt removes some nodes, and some victims of others.
func (m Manner) preempt(args *extenderv1.ExtenderPreemptionArgs) (any, error) {
	pod := seen(args.Pod)
	if m.happens(m.Fail, "preempt fails", pod) {
		return nil, errors.New("no preemption today")
	}
	victims := map[string]*extenderv1.MetaVictims{}
	for node, whole := range args.NodeNameToVictims {
		meta := &extenderv1.MetaVictims{NumPDBViolations: whole.NumPDBViolations}
		for _, victim := range whole.Pods {
			if victim.Spec.NodeName != node {
				return nil, errors.New("victim " + victim.Name + " is not on " + node)
			}
			meta.Pods = append(meta.Pods, &extenderv1.MetaPod{UID: string(victim.UID)})
		}
		victims[node] = meta
	}
	maps.Copy(victims, args.NodeNameToMetaVictims)
	for node, of := range victims {
		byUID(of.Pods)
		who := []string{pod, node, text(of)}
		switch m.hash(append(who, "preempt")...) % 10 {
		case 0, 1:
			delete(victims, node)
		case 2:
			of.Pods = of.Pods[:1]
		case 3:
			of.NumPDBViolations += int64(m.hash(append(who, "violations")...) % 3)
		}
	}
	// At most one node, because kube-scheduler reports the first one that it finds.
	for _, node := range slices.Sorted(maps.Keys(victims))[:min(1, len(victims))] {
		switch {
		case m.happens(m.Fail, "preempt makes pods up", pod):
			victims[node].Pods = append(victims[node].Pods, &extenderv1.MetaPod{UID: "made-up"})
		case m.happens(m.Fail, "preempt of nobody", pod):
			victims[node].Pods = nil
		}
	}
	return &extenderv1.ExtenderPreemptionResult{NodeNameToMetaVictims: victims}, nil
}
