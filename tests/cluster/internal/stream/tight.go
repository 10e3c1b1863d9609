package stream

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// Tight is the kind of pods that fit only on small nodes, of two pods each. These are full most of the time, so a pod
// that is not counted would overcommit one.
const Tight = "tight"

const pool = "pool" // label and taint of the small nodes

// Small makes a node one of the small ones.
func Small(node *fakelet.NodeSpec) {
	node.CPU, node.Labels = "1", map[string]string{pool: Tight}
	node.Taints = []corev1.Taint{{Key: pool, Value: Tight, Effect: corev1.TaintEffectNoSchedule}}
}

// Tighten changes a pod of 100m to one for a small node.
func Tighten(pod *corev1.Pod) {
	pod.Spec.NodeSelector = map[string]string{pool: Tight}
	pod.Spec.Tolerations = []corev1.Toleration{{Key: pool, Operator: corev1.TolerationOpExists}}
	pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("500m")
}
