package history

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestReasons(t *testing.T) {
	revision := func(name, node string, conditions ...corev1.PodCondition) Event {
		return Event{Pod: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       corev1.PodSpec{NodeName: node},
			Status:     corev1.PodStatus{Conditions: conditions},
		}}
	}
	is := func(which corev1.PodConditionType, status corev1.ConditionStatus, reason string) corev1.PodCondition {
		return corev1.PodCondition{Type: which, Status: status, Reason: reason}
	}
	unschedulable := is(corev1.PodScheduled, corev1.ConditionFalse, corev1.PodReasonUnschedulable)
	schedulerError := is(corev1.PodScheduled, corev1.ConditionFalse, corev1.PodReasonSchedulerError)
	gated := is(corev1.PodScheduled, corev1.ConditionFalse, corev1.PodReasonSchedulingGated)
	scheduled := is(corev1.PodScheduled, corev1.ConditionTrue, "")
	preempted := is(corev1.DisruptionTarget, corev1.ConditionTrue, corev1.PodReasonPreemptionByScheduler)
	evicted := is(corev1.DisruptionTarget, corev1.ConditionTrue, "EvictionByEvictionAPI")
	for name, c := range map[string]struct {
		events []Event
		want   []string
	}{
		"created with a node":   {[]Event{revision("p", "n"), revision("p", "n", scheduled)}, nil},
		"bound":                 {[]Event{revision("p", ""), revision("p", "n", scheduled), revision("p", "n")}, []string{"Scheduled"}},
		"unschedulable":         {[]Event{revision("p", ""), revision("p", "", unschedulable)}, []string{"FailedScheduling"}},
		"an error, then bound":  {[]Event{revision("p", "", schedulerError), revision("p", "n")}, []string{"FailedScheduling", "Scheduled"}},
		"gated":                 {[]Event{revision("p", "", gated)}, nil},
		"preempted":             {[]Event{revision("p", "n"), revision("p", "n", scheduled, preempted)}, []string{"Preempted"}},
		"evicted":               {[]Event{revision("p", "n", evicted)}, nil},
		"another pod and nodes": {[]Event{revision("q", ""), revision("q", "n"), {Node: &corev1.Node{}}}, nil},
	} {
		if got := Reasons(c.events, "p"); !slices.Equal(got, c.want) {
			t.Errorf("%s: reasons %q, want %q", name, got, c.want)
		}
	}
}
