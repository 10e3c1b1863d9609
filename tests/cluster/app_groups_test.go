package cluster

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// The pod of a workload goes into the zone that is cheap to reach from the workload on which it depends.
func TestAnAppGroupIsPlacedByNetworkCost(t *testing.T) {
	onlyBerth(t, "NetworkOverhead")
	w := newWorld(t, time.Minute)
	w.installs("appgroup.yaml", "appgroups.appgroup.diktyo.x-k8s.io")
	w.installs("networktopology.yaml", "networktopologies.networktopology.diktyo.x-k8s.io")
	for name, zone := range map[string]string{"near": "z1", "middle": "z2", "far": "z3"} {
		w.node(name, func(n *fakelet.NodeSpec) {
			n.Labels = map[string]string{corev1.LabelTopologyRegion: "r1", corev1.LabelTopologyZone: zone, "name": name}
		})
	}
	w.apply("network", network)
	w.start(w.profile(fast) + `  plugins:
    multiPoint: {enabled: [{name: NetworkOverhead}, {name: TopologicalSort}], disabled: [{name: PrioritySort}]}
    score: {disabled: [{name: '*'}], enabled: [{name: NetworkOverhead}]}
  pluginConfig:
  - {name: NetworkOverhead, args: {namespaces: [` + w.ns + `], weightsName: UserDefined, networkTopologyName: net}}
  - {name: TopologicalSort, args: {namespaces: [` + w.ns + `]}}
`)
	w.pod("database", workload("database"), selector("name", "near"), cpu("10m"))
	w.bound("database", 20*time.Second)
	w.pod("web", workload("web"), cpu("10m"), without("name", "near"))
	if pod := w.bound("web", 20*time.Second); pod.Spec.NodeName != "middle" {
		t.Errorf("pod web is on node %s", pod.Spec.NodeName)
	}
	w.prove()
}

func workload(name string) podOption {
	return func(p *corev1.Pod) {
		p.Labels = map[string]string{"appgroup.diktyo.x-k8s.io": "shop", "appgroup.diktyo.x-k8s.io.workload": name}
	}
}

// without requires that a node's label has another value.
func without(key, value string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: key, Operator: corev1.NodeSelectorOpNotIn, Values: []string{value}}}}}}}}
	}
}

const network = `apiVersion: appgroup.diktyo.x-k8s.io/v1alpha1
kind: AppGroup
metadata: {name: shop}
spec:
  numMembers: 2
  topologySortingAlgorithm: KahnSort
  workloads:
  - workload: {kind: Deployment, name: web, selector: web, apiVersion: apps/v1, namespace: default}
    dependencies:
    - workload: {kind: Deployment, name: database, selector: database, apiVersion: apps/v1, namespace: default}
      maxNetworkCost: 100
  - workload: {kind: Deployment, name: database, selector: database, apiVersion: apps/v1, namespace: default}
---
apiVersion: networktopology.diktyo.x-k8s.io/v1alpha1
kind: NetworkTopology
metadata: {name: net}
spec:
  configmapName: net
  weights:
  - name: UserDefined
    topologyList:
    - topologyKey: topology.kubernetes.io/zone
      originList:
      - origin: z2
        costList: [{destination: z1, networkCost: 5}]
      - origin: z3
        costList: [{destination: z1, networkCost: 60}]
`
