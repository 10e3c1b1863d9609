package generate

import (
	v1 "k8s.io/api/core/v1"
)

var (
	nodeOperators = []v1.NodeSelectorOperator{v1.NodeSelectorOpIn, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists,
		v1.NodeSelectorOpDoesNotExist, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt}
	labelKeys = []string{"disk", "num", "example.com/gpu", v1.LabelTopologyZone, "absent"}
)

// setAffinity draws node selectors, required and preferred terms.
func (g *gen) setAffinity(p *v1.Pod) {
	if !g.shows(affinity) {
		return
	}
	if g.chance(0.2) {
		p.Spec.NodeSelector = map[string]string{"disk": pick(g, diskValues...)}
		if g.chance(0.2) {
			p.Spec.NodeSelector = map[string]string{}
		}
	}
	node := &v1.NodeAffinity{}
	if g.chance(0.55) {
		node.RequiredDuringSchedulingIgnoredDuringExecution = &v1.NodeSelector{NodeSelectorTerms: g.terms()}
	}
	if g.chance(0.6) {
		node.PreferredDuringSchedulingIgnoredDuringExecution = g.preferred()
	}
	p.Spec.Affinity = &v1.Affinity{NodeAffinity: node}
	if g.chance(0.05) {
		p.Spec.Affinity.NodeAffinity = nil
	}
}

func (g *gen) terms() []v1.NodeSelectorTerm {
	terms := []v1.NodeSelectorTerm{}
	for range pick(g, 1, 1, 1, 2, 2, 3, 0) {
		terms = append(terms, g.term(true))
	}
	return terms
}

// term draws an empty term, one by label, one by name, or one by both. Several names in one field do not parse: a
// required term then matches nothing, a preferred one fails the pod.
func (g *gen) term(several bool) v1.NodeSelectorTerm {
	var t v1.NodeSelectorTerm
	if g.chance(0.05) {
		return t
	}
	if g.chance(0.8) {
		for range pick(g, 1, 1, 2, 3) {
			t.MatchExpressions = append(t.MatchExpressions, g.requirement())
		}
	}
	if g.chance(0.3) || len(t.MatchExpressions) == 0 {
		for range pick(g, 1, 1, 1, 2) {
			t.MatchFields = append(t.MatchFields, g.field(several))
		}
	}
	return t
}

func (g *gen) requirement() v1.NodeSelectorRequirement {
	r := v1.NodeSelectorRequirement{Key: pick(g, labelKeys...), Operator: pick(g, nodeOperators...)}
	switch r.Operator {
	case v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn:
		for range pick(g, 1, 1, 2, 3) {
			r.Values = append(r.Values, g.labelValue(r.Key))
		}
	case v1.NodeSelectorOpGt, v1.NodeSelectorOpLt:
		r.Values = []string{pick(g, "0", "1", "2", "4", "5", "-4", "9223372036854775806", "007")}
		if g.chance(0.8) {
			r.Key = "num"
		}
	}
	if g.chance(0.012) {
		g.spoil(&r)
	}
	return r
}

// spoil creates a requirement that does not parse. Validation rejects it today. In a required term, the scheduler
// matches nothing; in a preferred term, it fails the pod.
func (g *gen) spoil(r *v1.NodeSelectorRequirement) {
	switch g.IntN(4) {
	case 0:
		r.Values = nil
		r.Operator = v1.NodeSelectorOpIn
	case 1:
		r.Operator, r.Values = v1.NodeSelectorOpGt, []string{"many"}
	case 2:
		r.Operator, r.Values = v1.NodeSelectorOpExists, []string{"x"}
	default:
		r.Operator = "Resembles"
	}
}

func (g *gen) labelValue(key string) string {
	switch key {
	case "disk":
		return pick(g, diskValues...)
	case "num":
		return pick(g, "0", "1", "2", "5", "05", "10", "abc", "9223372036854775807", "1.5", "")
	case v1.LabelTopologyZone:
		return pick(g, zoneValues...)
	}
	return pick(g, "true", "false")
}

// field selects by node name: real ones, absent ones, several at once if asked for, and the negation.
func (g *gen) field(several bool) v1.NodeSelectorRequirement {
	r := v1.NodeSelectorRequirement{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{g.nodeName(0.8)}}
	if g.chance(0.2) {
		r.Operator = v1.NodeSelectorOpNotIn
	}
	if several && g.chance(0.15) {
		r.Values = append(r.Values, g.nodeName(0.8))
	}
	return r
}

func (g *gen) preferred() []v1.PreferredSchedulingTerm {
	list := []v1.PreferredSchedulingTerm{}
	for range pick(g, 0, 1, 1, 2, 3, 4) {
		list = append(list, v1.PreferredSchedulingTerm{Weight: int32(pick(g, 1, 1, 2, 5, 50, 100)), Preference: g.term(g.chance(0.05))})
	}
	if len(list) != 0 && g.chance(0.3) {
		list = append(list, list[0])
	}
	if len(list) != 0 && g.chance(0.04) {
		list[0].Weight = int32(pick(g, 0, -3))
	}
	return list
}
