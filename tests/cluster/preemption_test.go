package cluster

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
)

// The messages for a pod that fits on no node, in the default profile.
const (
	twoFull    = "0/2 nodes are available: 2 Insufficient cpu."
	noClaims   = " no new claims to deallocate,"
	noVictims  = " preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod."
	notHelpful = " preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
)

// The least important pod is deleted with its grace period, and only the preemptor gets its resources.
func TestPreemption(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.twoVictims(ends("6s"))
		w.start(w.profile())
		w.pod("high", cpu("1"), class("high"))
		w.nominated("high", "a")
		w.pod("opportunist", cpu("1"))
		w.refused("opportunist", twoFull+noClaims+noVictims)
		if pod, err := w.get("low"); err != nil || pod.DeletionTimestamp == nil {
			w.t.Errorf("the victim is not on its way out: %v", err)
		} else if c := condition(pod, corev1.DisruptionTarget); c.Status != corev1.ConditionTrue || c.Reason != corev1.PodReasonPreemptionByScheduler {
			w.t.Errorf("the victim's condition DisruptionTarget is %+v", *c)
		}
		if pod, err := w.get("high"); err != nil || pod.Spec.NodeName != "" {
			w.t.Errorf("the preemptor is on node %q while its victim is still there (%v)", pod.Spec.NodeName, err)
		}
		high := w.bound("high", 20*time.Second)
		w.gone("low", time.Second)
		w.event(high, "Scheduled")
		w.relatedTo("low", high)
		if high.Spec.NodeName != "a" || w.bound("middle", time.Second).DeletionTimestamp != nil {
			w.t.Errorf("the preemptor is on node %s, and pod middle may not stay", high.Spec.NodeName)
		}
		return w.story("low", "middle", "high")
	})
}

// relatedTo fails the test unless the Event of the victim names the preemptor. kube-scheduler 1.36 intends to, but
// passes its own wrapper of the pod to the client, which knows no kind for it.
func (w *world) relatedTo(victim string, preemptor *corev1.Pod) {
	w.t.Helper()
	if w.kind != daemon.Berth {
		return
	}
	for _, e := range w.completeEventsOf(victim, []string{"Preempted"}) {
		if e.Related == nil || e.Related.Kind != "Pod" || e.Related.Name != preemptor.Name || e.Related.UID != preemptor.UID {
			w.t.Errorf("the event %s about pod %s is related to %+v", e.Reason, victim, e.Related)
		}
	}
}

// Two pods are deleted from the node where they are less important. After the first one has ended, the scheduler tries the
// preemptor, which waits for the second one.
func TestPreemptionOfSeveral(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.priorities()
		w.node("a", oneCPU)
		w.node("b", oneCPU)
		w.running("low-1", "a", cpu("500m"), class("low"), ends("1s"))
		w.running("low-2", "a", cpu("300m"), class("low"), ends("7s"))
		w.running("low-3", "a", cpu("200m"), class("low"), ends("1s"))
		w.running("middle", "b", cpu("1"), class("middle"), ends("1s"))
		d := w.start(w.profile(), everybodyReadsMetrics)
		w.pod("high", cpu("800m"), class("high"))
		if node := w.bound("high", 25*time.Second).Spec.NodeName; node != "a" {
			w.t.Errorf("the preemptor is on node %s", node)
		}
		w.gone("low-1", time.Second)
		w.gone("low-2", time.Second)
		victims := w.samples(d, "scheduler_preemption_victims")
		if !slices.Contains(victims, "scheduler_preemption_victims_sum 2") {
			w.t.Errorf("two pods were preempted for one, and the metric is %q", victims)
		}
		return append(w.story("low-1", "low-2", "low-3", "middle", "high"), victims...)
	})
}

// A PodDisruptionBudget that allows no disruption changes the choice of the victim.
func TestPreemptionSparesABudget(t *testing.T) {
	for healthy, victim := range map[int]string{1: "middle", 0: "low"} {
		t.Run(victim, func(t *testing.T) {
			asKubeScheduler(t, time.Minute, func(w *world) []string {
				w.twoVictims(ends("1s"))
				w.budget("low", healthy)
				w.start(w.profile())
				w.pod("high", cpu("1"), class("high"))
				w.bound("high", 10*time.Second)
				w.gone(victim, time.Second)
				return w.story("low", "middle", "high")
			})
		})
	}
}

// A pod that may not preempt reports that and waits, and so does one without possible victims.
func TestPreemptionThatIsNone(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.twoVictims()
		w.start(w.profile())
		w.pod("polite", cpu("1"), class("polite"))
		w.refused("polite", twoFull+noClaims+" preemption: not eligible due to preemptionPolicy=Never.")
		w.pod("lowest", cpu("1"))
		w.refused("lowest", twoFull+noClaims+noVictims)
		w.pod("elsewhere", class("high"), selector("disk", "ssd"))
		w.refused("elsewhere", "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."+
			noClaims+notHelpful)
		w.pod("larger", class("high"), cpu("2"))
		w.refused("larger", twoFull+noClaims+notHelpful)
		return w.story("polite", "lowest", "elsewhere", "larger", "low", "middle")
	})
}

// Without the plugin DynamicResources, the messages are those of the versions without it.
func TestPreemptionWithoutDynamicResources(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.twoVictims()
		w.start(w.profile() + withoutClaims)
		w.pod("lowest", cpu("1"))
		w.refused("lowest", twoFull+noVictims)
		return w.story("lowest")
	})
}

const withoutClaims = "  plugins: {postFilter: {disabled: [{name: DynamicResources}]}}\n"
