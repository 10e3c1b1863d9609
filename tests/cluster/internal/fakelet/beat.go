package fakelet

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

var everything = labels.Everything()

// renew writes the node's unchanged status with a new heartbeat. The next one replaces a failed one.
func (f *Fakelet) renew(ctx context.Context, node *corev1.Node) {
	node = node.DeepCopy()
	for i := range node.Status.Conditions {
		node.Status.Conditions[i].LastHeartbeatTime = metav1.Now()
	}
	_, _ = f.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
