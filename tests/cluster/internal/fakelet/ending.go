package fakelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// EndsAfter is the annotation of a pod whose containers need so long, a Go duration, to end when they are asked to. They are
// killed when the pod's grace period is over. Pods without it end at once.
const EndsAfter = "fakelet.berth.dev/ends-after"

// leftToEnd is how long the containers of a pod that is being deleted go on from now.
func leftToEnd(pod *corev1.Pod, now time.Time) time.Duration {
	wanted, err := time.ParseDuration(pod.Annotations[EndsAfter])
	if err != nil || pod.DeletionGracePeriodSeconds == nil {
		return 0
	}
	grace := time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
	asked := pod.DeletionTimestamp.Add(-grace)
	return asked.Add(min(wanted, grace)).Sub(now)
}
