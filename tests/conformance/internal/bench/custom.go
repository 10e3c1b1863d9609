package bench

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// SuitePolicies are profiles with plugins of kubernetes-sigs/scheduler-plugins. The judge has kube-scheduler without them, so
// only Berth is measured.
func SuitePolicies() []Policy {
	return []Policy{
		{Name: "gangs", Doc: "Coscheduling: gangs of 50 pods", Suite: true, Target: 10000, First: gangSize, profile: coscheduling, shape: ganged, extras: podGroups},
		{Name: "allocatable", Doc: "NodeResourcesAllocatable, mode Most", Suite: true, Target: 10000, profile: scoring("NodeResourcesAllocatable", map[string]any{"mode": "Most"}), node: mixedNode},
		{Name: "quotas", Doc: "CapacityScheduling: 100 ElasticQuotas, pods in their namespaces in turn", Suite: true, Target: 10000, profile: enabling("CapacityScheduling"), shape: quoted, extras: elasticQuotas},
		{Name: "numa", Doc: "NodeResourceTopologyMatch: 8 zones on each node, pods of the class Guaranteed with one CPU", Suite: true, Target: 10000, profile: enabling("NodeResourceTopologyMatch"), shape: guaranteed, extras: zonesOfNodes},
		{Name: "packing", Doc: "TargetLoadPacking, with the load of each node from metrics-server", Suite: true, Target: 10000, profile: enabling("TargetLoadPacking"), extras: loads},
		{Name: "variation", Doc: "LoadVariationRiskBalancing, with the same", Suite: true, Target: 10000, profile: enabling("LoadVariationRiskBalancing"), extras: loads},
		{Name: "over-commitment", Doc: "LowRiskOverCommitment, with the same", Suite: true, Target: 10000, profile: enabling("LowRiskOverCommitment"), extras: loads},
	}
}

// EveryPolicy lists the policies of the default profile, and those of the suite.
func EveryPolicy() []Policy { return append(Policies(), SuitePolicies()...) }

const (
	gangSize   = 50
	quotaCount = 100
	zoneCount  = 8
)

func coscheduling() map[string]any {
	return map[string]any{"plugins": map[string]any{
		"multiPoint": map[string]any{"enabled": named("Coscheduling")},
		"queueSort":  map[string]any{"enabled": named("Coscheduling"), "disabled": named("*")},
	}}
}

func enabling(plugin string) func() map[string]any {
	return func() map[string]any {
		return map[string]any{"plugins": map[string]any{"multiPoint": map[string]any{"enabled": named(plugin)}}}
	}
}

func scoring(plugin string, args map[string]any) func() map[string]any {
	return func() map[string]any {
		profile := enabling(plugin)()
		profile["pluginConfig"] = []any{map[string]any{"name": plugin, "args": args}}
		return profile
	}
}

func named(plugin string) []any { return []any{map[string]any{"name": plugin}} }

func ganged(_ *maker, p *v1.Pod, i int) {
	p.Labels["scheduling.x-k8s.io/pod-group"] = gangName(i / gangSize)
}

func gangName(i int) string { return fmt.Sprintf("gang-%03d", i) }

// podGroups creates groups for all pods. The last group may be smaller.
func podGroups(m *maker) []k8sruntime.Object {
	var groups []k8sruntime.Object
	for first := 0; first < m.size.Pending; first += gangSize {
		groups = append(groups, m.custom("scheduling.x-k8s.io/v1alpha1", "PodGroup", "default", gangName(first/gangSize),
			"spec", map[string]any{"minMember": int64(min(gangSize, m.size.Pending-first))}))
	}
	return groups
}

func quoted(_ *maker, p *v1.Pod, i int) { p.Namespace = quotaNamespace(i % quotaCount) }

func quotaNamespace(i int) string { return fmt.Sprintf("team-%02d", i) }

// elasticQuotas creates quotas with room for all pods; the sum of the minimums is what the namespaces may use together.
func elasticQuotas(m *maker) []k8sruntime.Object {
	var list []k8sruntime.Object
	for i := range quotaCount {
		ns := quotaNamespace(i)
		list = append(list, m.namespace(ns),
			m.custom("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", ns, "quota",
				"spec", map[string]any{"min": map[string]any{"cpu": "1k", "memory": "1Ti"}, "max": map[string]any{"cpu": "2k", "memory": "2Ti"}}))
	}
	return list
}

func guaranteed(_ *maker, p *v1.Pod, _ int) {
	request(p, 1000, 128)
	p.Spec.Containers[0].Resources.Limits = p.Spec.Containers[0].Resources.Requests
}

// zonesOfNodes creates a NodeResourceTopology for each node, which divides the node into equal zones.
func zonesOfNodes(m *maker) []k8sruntime.Object {
	var zones []any
	for i := range zoneCount {
		zones = append(zones, map[string]any{"name": fmt.Sprintf("node-%d", i), "type": "Node", "resources": []any{
			map[string]any{"name": "cpu", "capacity": "4", "allocatable": "4", "available": "4"},
			map[string]any{"name": "memory", "capacity": "8Gi", "allocatable": "8Gi", "available": "8Gi"}}})
	}
	attributes := []any{
		map[string]any{"name": "topologyManagerPolicy", "value": "single-numa-node"},
		map[string]any{"name": "topologyManagerScope", "value": "container"}}
	var list []k8sruntime.Object
	for i := range m.size.Nodes {
		object := m.custom("topology.node.k8s.io/v1alpha2", "NodeResourceTopology", "", nodeName(i), "zones", zones)
		object.Object["attributes"] = attributes
		list = append(list, object)
	}
	return list
}

// loads creates the NodeMetrics of each node: 0 to 3.9 CPUs, 1 to 4 GiB.
func loads(m *maker) []k8sruntime.Object {
	var list []k8sruntime.Object
	for i := range m.size.Nodes {
		list = append(list, m.custom("metrics.k8s.io/v1beta1", "NodeMetrics", "", nodeName(i),
			"usage", map[string]any{"cpu": fmt.Sprintf("%dm", i%40*100), "memory": fmt.Sprintf("%dMi", 1024+i%7*512)}))
	}
	return list
}

// custom returns an object of a custom resource with one field in addition to its metadata.
func (m *maker) custom(apiVersion, kind, namespace, name, field string, value any) *unstructured.Unstructured {
	meta := m.meta(namespace, name)
	object := &unstructured.Unstructured{Object: map[string]any{field: value}}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetNamespace(namespace)
	object.SetName(name)
	object.SetUID(meta.UID)
	object.SetResourceVersion(meta.ResourceVersion)
	object.SetCreationTimestamp(meta.CreationTimestamp)
	return object
}
