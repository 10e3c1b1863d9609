package fakelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// EndsAfter is the annotation with the time, a Go duration, that a pod's containers take to end. They are killed after
// the pod's grace period. Pods without it end at once.
const EndsAfter = "fakelet.berth.dev/ends-after"

// leftToEnd is the remaining time until the containers of a terminating pod end. They take at least the wanted time: the
// API server cuts the fraction of the second off a deletionTimestamp.
func leftToEnd(pod *corev1.Pod, now time.Time) time.Duration {
	wanted, err := time.ParseDuration(pod.Annotations[EndsAfter])
	if err != nil || pod.DeletionGracePeriodSeconds == nil {
		return 0
	}
	grace := time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
	asked := pod.DeletionTimestamp.Add(time.Second - grace)
	return asked.Add(min(wanted, grace)).Sub(now)
}
