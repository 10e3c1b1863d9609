package bench

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// ownApp selects the pods of the pod's own app.
func ownApp(p *v1.Pod) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": p.Labels["app"]}}
}

func ownAppBy(p *v1.Pod, topologyKey string) v1.PodAffinityTerm {
	return v1.PodAffinityTerm{LabelSelector: ownApp(p), TopologyKey: topologyKey}
}

func zoneSpread(_ *maker, p *v1.Pod, _ int) {
	p.Spec.TopologySpreadConstraints = []v1.TopologySpreadConstraint{{
		MaxSkew: 5, TopologyKey: v1.LabelTopologyZone, WhenUnsatisfiable: v1.DoNotSchedule, LabelSelector: ownApp(p)}}
}

func hostAnti(_ *maker, p *v1.Pod, _ int) {
	p.Spec.Affinity = &v1.Affinity{PodAntiAffinity: &v1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []v1.PodAffinityTerm{ownAppBy(p, v1.LabelHostname)}}}
}

func zoneAffinity(_ *maker, p *v1.Pod, _ int) {
	p.Spec.Affinity = &v1.Affinity{PodAffinity: &v1.PodAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []v1.PodAffinityTerm{ownAppBy(p, v1.LabelTopologyZone)}}}
}

func preferredAnti(_ *maker, p *v1.Pod, _ int) {
	p.Spec.Affinity = &v1.Affinity{PodAntiAffinity: &v1.PodAntiAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []v1.WeightedPodAffinityTerm{{Weight: 10, PodAffinityTerm: ownAppBy(p, v1.LabelHostname)}}}}
}

// owned assigns pods to this number of ReplicaSets in turn.
func owned(sets int) func(*maker, *v1.Pod, int) {
	return func(_ *maker, p *v1.Pod, i int) {
		yes, app := true, appName(i%sets)
		p.Labels["app"] = app
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app, UID: types.UID("rs-" + app), Controller: &yes}}
	}
}

// owners returns those ReplicaSets, each with a Service.
func owners(sets int) func(*maker) []k8sruntime.Object {
	return func(m *maker) []k8sruntime.Object {
		var list []k8sruntime.Object
		for i := range sets {
			labels := map[string]string{"app": appName(i)}
			set := &appsv1.ReplicaSet{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"}, ObjectMeta: m.meta("default", appName(i))}
			set.UID = types.UID("rs-" + appName(i))
			set.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
			set.Spec.Template.Labels = labels
			service := &v1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: m.meta("default", appName(i))}
			service.Spec.Selector = labels
			list = append(list, set, service)
		}
		return list
	}
}

func appName(i int) string { return fmt.Sprintf("web-%02d", i) }

func anyRequests(m *maker, p *v1.Pod, _ int) {
	request(p, 50+m.Int64N(400), 64+m.Int64N(512))
}

var sizes, teams, zones = []string{"8", "16", "32", "64"}, []string{"a", "b", "c", "d"}, []string{"zone-0", "zone-1", "zone-2"}

// mixedNode is one of four sizes; some have a taint.
func mixedNode(m *maker, i int) *v1.Node {
	size := m.IntN(len(sizes))
	n := newNode(i, int64(8)<<size, int64(32)<<size, i%len(zones))
	n.Labels["size"] = sizes[size]
	n.Labels["disk"] = []string{"ssd", "hdd"}[m.IntN(2)]
	if m.IntN(10) == 0 {
		n.Spec.Taints = append(n.Spec.Taints, v1.Taint{Key: "team", Value: teams[m.IntN(len(teams))], Effect: v1.TaintEffectNoSchedule})
	}
	if m.IntN(10) == 0 {
		n.Spec.Taints = append(n.Spec.Taints, v1.Taint{Key: "spot", Effect: v1.TaintEffectPreferNoSchedule})
	}
	return n
}

// heterogeneous pods differ in all fields that do not relate them to each other. Each fits on many nodes.
func heterogeneous(m *maker, p *v1.Pod, i int) {
	anyRequests(m, p, i)
	p.Labels = map[string]string{"app": appName(m.IntN(20)), "version": fmt.Sprintf("v%d", m.IntN(5)), "tier": []string{"front", "back"}[m.IntN(2)]}
	if m.IntN(3) == 0 {
		p.Spec.Tolerations = append(p.Spec.Tolerations,
			v1.Toleration{Key: "team", Operator: v1.TolerationOpEqual, Value: teams[m.IntN(len(teams))], Effect: v1.TaintEffectNoSchedule})
	}
	if m.IntN(3) == 0 {
		p.Spec.Tolerations = append(p.Spec.Tolerations, v1.Toleration{Key: "spot", Operator: v1.TolerationOpExists})
	}
	if m.IntN(4) == 0 {
		p.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	var affinity v1.NodeAffinity
	if m.IntN(3) == 0 {
		without := m.IntN(len(zones))
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{
			term(v1.LabelTopologyZone, v1.NodeSelectorOpNotIn, zones[without])}}
	}
	if m.IntN(3) == 0 {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = []v1.PreferredSchedulingTerm{
			{Weight: 1 + m.Int32N(100), Preference: term("size", v1.NodeSelectorOpIn, sizes[m.IntN(len(sizes))])}}
	}
	p.Spec.Affinity = &v1.Affinity{NodeAffinity: &affinity}
}

func term(key string, operator v1.NodeSelectorOperator, values ...string) v1.NodeSelectorTerm {
	return v1.NodeSelectorTerm{MatchExpressions: []v1.NodeSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
}
