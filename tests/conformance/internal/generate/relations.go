package generate

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	namespaces   = []string{"default", "default", "team-a", "team-b"}
	appValues    = []string{"web", "db", "batch"}
	topologyKeys = []string{v1.LabelHostname, v1.LabelHostname, v1.LabelTopologyZone, v1.LabelTopologyZone, v1.LabelTopologyZone,
		v1.LabelTopologyRegion, "disk", "absent"}
)

// relates returns whether the placement of this cluster's pods depends on other pods.
func (g *gen) relates() bool {
	return g.doses[spread]+g.doses[podAffinity]+g.doses[owners]+g.doses[preemption]+g.doses[volumes] > 0
}

// podLabels draws few values, so that pods meet.
func (g *gen) podLabels() map[string]string {
	labels := map[string]string{"app": pick(g, "web", "db")}
	if !g.relates() {
		return labels
	}
	labels["app"] = pick(g, appValues...)
	if g.chance(0.5) {
		labels["tier"] = pick(g, "front", "back", "")
	}
	if g.chance(0.5) {
		labels["version"] = pick(g, "1", "2")
	}
	return labels
}

// selector draws nil, empty, by label, by expression, and combinations.
func (g *gen) selector() *metav1.LabelSelector {
	switch {
	case g.chance(0.04):
		return nil
	case g.chance(0.05):
		return &metav1.LabelSelector{}
	}
	s := &metav1.LabelSelector{}
	if g.chance(0.7) {
		s.MatchLabels = map[string]string{"app": pick(g, appValues...)}
		if g.chance(0.2) {
			s.MatchLabels["tier"] = pick(g, "front", "back", "")
		}
	}
	if len(s.MatchLabels) == 0 || g.chance(0.3) {
		s.MatchExpressions = append(s.MatchExpressions, g.labelRequirement())
	}
	if g.chance(0.02) {
		s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{Key: "app", Operator: "Resembles"})
	}
	return s
}

func (g *gen) labelRequirement() metav1.LabelSelectorRequirement {
	r := metav1.LabelSelectorRequirement{Key: pick(g, "app", "tier", "version", "absent"), Operator: pick(g, metav1.LabelSelectorOpIn,
		metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
	if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
		r.Values = pick(g, []string{"web"}, []string{"db", "web"}, []string{"front", "1"}, []string{"batch", "2", ""})
	}
	return r
}

// namespaceSelector selects by the labels that newNamespaces gives; the negations also hold for no labels at all.
func (g *gen) namespaceSelector() *metav1.LabelSelector {
	switch g.IntN(10) {
	case 0, 1, 2, 3, 4:
		return nil
	case 5:
		return &metav1.LabelSelector{}
	case 6, 7:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"team": pick(g, "a", "b")}}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{pick(g,
		metav1.LabelSelectorRequirement{Key: "team", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"a"}},
		metav1.LabelSelectorRequirement{Key: "team", Operator: metav1.LabelSelectorOpDoesNotExist},
		metav1.LabelSelectorRequirement{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpIn, Values: []string{"default", "team-b"}})}}
}

func (g *gen) podTerm() v1.PodAffinityTerm {
	t := v1.PodAffinityTerm{LabelSelector: g.selector(), TopologyKey: pick(g, topologyKeys...), NamespaceSelector: g.namespaceSelector()}
	if g.chance(0.3) {
		t.Namespaces = pick(g, []string{"default"}, []string{"team-a", "default"}, []string{"team-b"}, []string{"nowhere"})
	}
	return t
}

func (g *gen) podTerms(counts ...int) []v1.PodAffinityTerm {
	var list []v1.PodAffinityTerm
	for range pick(g, counts...) {
		list = append(list, g.podTerm())
	}
	return list
}

func (g *gen) weightedTerms() []v1.WeightedPodAffinityTerm {
	var list []v1.WeightedPodAffinityTerm
	for range pick(g, 0, 1, 1, 2, 3) {
		list = append(list, v1.WeightedPodAffinityTerm{Weight: int32(pick(g, 1, 2, 10, 29, 100)), PodAffinityTerm: g.podTerm()})
	}
	return list
}

// setPodAffinity draws affinity and anti-affinity, required and preferred, empty ones included.
func (g *gen) setPodAffinity(p *v1.Pod) {
	if !g.shows(podAffinity) {
		return
	}
	if p.Spec.Affinity == nil {
		p.Spec.Affinity = &v1.Affinity{}
	}
	if g.chance(0.5) {
		p.Spec.Affinity.PodAffinity = &v1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  g.podTerms(0, 0, 1, 1, 2),
			PreferredDuringSchedulingIgnoredDuringExecution: g.weightedTerms(),
		}
	}
	if g.chance(0.6) {
		p.Spec.Affinity.PodAntiAffinity = &v1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  g.podTerms(0, 0, 1, 1, 2),
			PreferredDuringSchedulingIgnoredDuringExecution: g.weightedTerms(),
		}
	}
	// The most frequent term: anti-affinity to pods with the same label.
	if g.chance(0.15) {
		p.Spec.Affinity.PodAntiAffinity = &v1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []v1.PodAffinityTerm{{
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": p.Labels["app"]}},
			TopologyKey:   pick(g, v1.LabelHostname, v1.LabelTopologyZone),
		}}}
	}
}

// setSpread draws topology spread constraints.
func (g *gen) setSpread(p *v1.Pod) {
	if !g.shows(spread) {
		return
	}
	for range pick(g, 0, 1, 1, 1, 2, 2, 3) {
		c := v1.TopologySpreadConstraint{
			MaxSkew:           int32(pick(g, 1, 1, 1, 2, 3, 5)),
			TopologyKey:       pick(g, topologyKeys...),
			WhenUnsatisfiable: pick(g, v1.DoNotSchedule, v1.ScheduleAnyway),
			LabelSelector:     g.selector(),
		}
		if g.chance(0.5) {
			c.LabelSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": p.Labels["app"]}}
		}
		if c.WhenUnsatisfiable == v1.DoNotSchedule && g.chance(0.25) {
			c.MinDomains = ptr(int32(pick(g, 1, 2, 3, 6)))
		}
		if g.chance(0.3) {
			c.NodeAffinityPolicy = ptr(pick(g, v1.NodeInclusionPolicyHonor, v1.NodeInclusionPolicyIgnore))
		}
		if g.chance(0.4) {
			c.NodeTaintsPolicy = ptr(pick(g, v1.NodeInclusionPolicyHonor, v1.NodeInclusionPolicyIgnore))
		}
		if c.LabelSelector != nil && g.chance(0.15) {
			c.MatchLabelKeys = pick(g, []string{"version"}, []string{"version", "absent"})
		}
		p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, c)
	}
}

func (g *gen) spreadArgs() object {
	if g.chance(0.4) {
		return object{"defaultingType": "System"}
	}
	var list []object
	for _, key := range some(g, 0.6, v1.LabelHostname, v1.LabelTopologyZone, "disk") {
		list = append(list, object{"maxSkew": pick(g, 1, 2, 4), "topologyKey": key, "whenUnsatisfiable": pick(g, "DoNotSchedule", "ScheduleAnyway")})
	}
	args := object{"defaultingType": "List"}
	if len(list) != 0 {
		args["defaultConstraints"] = list
	}
	return args
}

func (g *gen) podAffinityArgs() object {
	return object{"hardPodAffinityWeight": pick(g, 0, 1, 5, 100), "ignorePreferredTermsOfExistingPods": g.chance(0.4)}
}
