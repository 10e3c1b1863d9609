package history

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Reasons returns the reasons of the Events that the scheduler publishes about the pod with this name, given the pod's
// revisions, each reason once. The scheduler publishes an Event asynchronously, so the API server can receive it after
// the change that it reports.
func Reasons(events []Event, name string) []string {
	var reasons []string
	waited := false // a revision of the pod has no node
	for _, e := range events {
		if e.Pod == nil || e.Pod.Name != name {
			continue
		}
		for _, reason := range reasonsOf(e.Pod, waited) {
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
		waited = waited || e.Pod.Spec.NodeName == ""
	}
	return reasons
}

// reasonsOf returns the reasons for one revision. A pod that did not wait was created with its node.
func reasonsOf(pod *corev1.Pod, waited bool) []string {
	var reasons []string
	for _, c := range pod.Status.Conditions {
		switch {
		case c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse &&
			(c.Reason == corev1.PodReasonUnschedulable || c.Reason == corev1.PodReasonSchedulerError):
			reasons = append(reasons, "FailedScheduling")
		case c.Type == corev1.DisruptionTarget && c.Reason == corev1.PodReasonPreemptionByScheduler:
			reasons = append(reasons, "Preempted")
		}
	}
	if waited && pod.Spec.NodeName != "" {
		reasons = append(reasons, "Scheduled")
	}
	return reasons
}
