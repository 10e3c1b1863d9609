package generate

import (
	v1 "k8s.io/api/core/v1"
)

var (
	taintKeys    = []string{"dedicated", "example.com/special", v1.TaintNodeNotReady, v1.TaintNodeUnschedulable}
	taintValues  = []string{"", "a", "b", "1", "10"}
	taintEffects = []v1.TaintEffect{v1.TaintEffectNoSchedule, v1.TaintEffectPreferNoSchedule, v1.TaintEffectNoExecute}
	// Validation rejects Lt and Gt while their gate is off, but objects written while it was on remain.
	tolerationOperators = []v1.TolerationOperator{
		"", v1.TolerationOpEqual, v1.TolerationOpExists, v1.TolerationOpEqual, v1.TolerationOpExists, v1.TolerationOpLt, v1.TolerationOpGt,
	}
)

func (g *gen) nodeTaints() []v1.Taint {
	var list []v1.Taint
	if g.walled {
		list = append(list, v1.Taint{Key: wallKey, Value: "x", Effect: v1.TaintEffectNoSchedule})
	}
	if !g.shows(taints) {
		return list
	}
	for range pick(g, 0, 0, 1, 1, 2, 3, 4) {
		list = append(list, v1.Taint{Key: pick(g, taintKeys...), Value: pick(g, taintValues...), Effect: pick(g, taintEffects...)})
	}
	if len(list) != 0 && g.chance(0.1) {
		list[len(list)-1].TimeAdded = ptr(birth)
	}
	return list
}

func (g *gen) tolerations() []v1.Toleration {
	var list []v1.Toleration
	if g.walled && g.chance(0.8) {
		list = append(list, v1.Toleration{Key: wallKey, Operator: v1.TolerationOpExists})
	}
	if !g.shows(taints) {
		return list
	}
	for range pick(g, 0, 1, 1, 2, 3, 5) {
		list = append(list, g.toleration())
	}
	if g.chance(0.1) {
		list = append(list, v1.Toleration{Operator: v1.TolerationOpExists})
	}
	return list
}

// toleration draws every combination of empty and set fields, including those that validation rejects and that match
// nothing.
func (g *gen) toleration() v1.Toleration {
	t := v1.Toleration{
		Key:      pick(g, append(taintKeys, "")...),
		Operator: pick(g, tolerationOperators...),
		Effect:   pick(g, append(taintEffects, "", "")...),
	}
	if t.Operator != v1.TolerationOpExists || g.chance(0.1) {
		t.Value = pick(g, taintValues...)
	}
	if g.chance(0.15) {
		t.TolerationSeconds = ptr(int64(pick(g, 0, 300, -1)))
	}
	return t
}
