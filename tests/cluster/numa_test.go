package cluster

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

const topologies = "noderesourcetopologies.topology.node.k8s.io"

// A node has room for a pod of three CPUs, but not in one NUMA zone; another node has it in one zone.
func TestAPodGoesWhereOneNUMAZoneHasRoom(t *testing.T) {
	onlyBerth(t, "NodeResourceTopologyMatch")
	w := newWorld(t, time.Minute)
	w.installs("noderesourcetopology.yaml", topologies)
	for _, name := range []string{"split", "whole"} {
		w.node(name, func(n *fakelet.NodeSpec) { n.CPU = "8" })
	}
	w.apply("topologies", topology("split", 2, 2)+"---\n"+topology("whole", 1, 4))
	w.start(w.profile(fast) + "  plugins: {multiPoint: {enabled: [{name: NodeResourceTopologyMatch}]}}\n")
	w.pod("aligned", guaranteed("3"))
	if pod := w.bound("aligned", 20*time.Second); pod.Spec.NodeName != "whole" {
		t.Errorf("the pod is on node %s", pod.Spec.NodeName)
	}
	w.pod("too-large", guaranteed("5"))
	w.unschedulable("too-large", 20*time.Second)
	w.apply("larger", topology("split", 6, 2))
	if pod := w.bound("too-large", 30*time.Second); pod.Spec.NodeName != "split" {
		t.Errorf("the large pod is on node %s", pod.Spec.NodeName)
	}
	w.prove()
}

// topology returns a NodeResourceTopology of two zones with these numbers of available CPUs.
func topology(node string, left, right int) string {
	return fmt.Sprintf(`apiVersion: topology.node.k8s.io/v1alpha2
kind: NodeResourceTopology
metadata: {name: %s}
attributes: [{name: topologyManagerPolicy, value: single-numa-node}, {name: topologyManagerScope, value: container}]
zones:
- {name: node-0, type: Node, resources: [{name: cpu, capacity: 8, allocatable: 8, available: %d}, {name: memory, capacity: 8Gi, allocatable: 8Gi, available: 4Gi}]}
- {name: node-1, type: Node, resources: [{name: cpu, capacity: 8, allocatable: 8, available: %d}, {name: memory, capacity: 8Gi, allocatable: 8Gi, available: 4Gi}]}
`, node, left, right)
}

func guaranteed(cpus string) podOption {
	return func(p *corev1.Pod) {
		amounts := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpus), corev1.ResourceMemory: resource.MustParse("1Mi")}
		p.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: amounts, Limits: amounts}
	}
}
