package fakelet

import (
	"context"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// NodeSpec describes a fake node. The default capacity is 8 CPUs, 16Gi, and 110 pods.
type NodeSpec struct {
	Name              string
	Labels            map[string]string // besides kubernetes.io/hostname
	Taints            []corev1.Taint
	CPU, Memory, Pods string
	Allocatable       corev1.ResourceList // instead of the three above
}

// AddNode creates a node that is Ready from the start.
func AddNode(ctx context.Context, client kubernetes.Interface, spec NodeSpec) error {
	labels := map[string]string{corev1.LabelHostname: spec.Name}
	maps.Copy(labels, spec.Labels)
	room := spec.Allocatable
	if room == nil {
		room = corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse(either(spec.CPU, "8")),
			corev1.ResourceMemory: resource.MustParse(either(spec.Memory, "16Gi")),
			corev1.ResourcePods:   resource.MustParse(either(spec.Pods, "110")),
		}
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: spec.Name, Labels: labels},
		Spec:       corev1.NodeSpec{Taints: spec.Taints},
		Status:     corev1.NodeStatus{Capacity: room, Allocatable: room, Conditions: []corev1.NodeCondition{readyNow()}},
	}
	if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("cannot create node %s: %w", spec.Name, err)
	}
	return nil
}

func either(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

func readyNow() corev1.NodeCondition {
	now := metav1.Now()
	return corev1.NodeCondition{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "played by fakelet",
		LastHeartbeatTime: now, LastTransitionTime: now,
	}
}
