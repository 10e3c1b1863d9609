package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/history"
)

// asKubeScheduler runs a scene twice, each time in its own world: with the tested scheduler, and with kube-scheduler.
// The scene checks its results and returns what the scheduler wrote; both schedulers must write the same.
func asKubeScheduler(t *testing.T, timeout time.Duration, scene func(w *world) []string) {
	t.Helper()
	told := map[daemon.Kind][]string{}
	for _, by := range []daemon.Kind{daemon.Kube, kind} {
		if _, again := told[by]; again {
			break // kube-scheduler is the one under test
		}
		t.Run(string(by), func(t *testing.T) {
			w := newWorld(t, timeout)
			w.kind = by
			lines := scene(w)
			w.prove()
			told[by] = lines
		})
	}
	ours, theirs := told[kind], told[daemon.Kube]
	if ours == nil || theirs == nil {
		return // the scene has failed, and has reported why
	}
	for _, line := range theirs {
		if !slices.Contains(ours, line) {
			t.Errorf("only kube-scheduler tells: %s", line)
		}
	}
	for _, line := range ours {
		if !slices.Contains(theirs, line) {
			t.Errorf("only %s tells: %s", kind, line)
		}
	}
	if t.Failed() {
		t.Logf("kube-scheduler tells\n%s", strings.Join(theirs, "\n"))
	}
}

// story is what the scheduler has written about the pods with these names, each line once: every condition and
// nomination, how the pods were asked to end, their nodes, and the Events. Names replace values that differ between
// runs.
func (w *world) story(names ...string) []string {
	w.t.Helper()
	pods := w.podHistory()
	uids := []string{w.ns, "NS"}
	for _, e := range pods {
		uids = append(uids, string(e.Pod.UID), "uid("+e.Pod.Name+")")
	}
	var lines []string
	tell := func(format string, args ...any) {
		line := strings.NewReplacer(uids...).Replace(fmt.Sprintf(format, args...))
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, e := range pods {
		if slices.Contains(names, e.Pod.Name) {
			tellPod(tell, e.Pod)
		}
	}
	for _, name := range names {
		for _, e := range w.completeEventsOf(name, history.Reasons(pods, name)) {
			tellEvent(tell, &e)
		}
	}
	return lines
}

// podHistory is every revision so far of every pod of the namespace.
func (w *world) podHistory() []history.Event {
	w.t.Helper()
	all, err := history.Read(w.ctx, w.plane.Etcd, w.since)
	w.must(err)
	return slices.DeleteFunc(all, func(e history.Event) bool {
		return e.Pod == nil || e.Pod.Namespace != w.ns
	})
}

func tellPod(tell func(string, ...any), pod *corev1.Pod) {
	for _, which := range []corev1.PodConditionType{corev1.PodScheduled, corev1.DisruptionTarget} {
		if c := condition(pod, which); c.Type != "" {
			tell("pod %s: %s=%s generation=%d %s %q", pod.Name, c.Type, c.Status, c.ObservedGeneration, c.Reason, c.Message)
		}
	}
	if name := pod.Status.NominatedNodeName; name != "" {
		tell("pod %s: nominated to %s, bound to %q", pod.Name, name, pod.Spec.NodeName)
	}
	if grace := pod.DeletionGracePeriodSeconds; grace != nil && *grace > 0 {
		tell("pod %s: asked to go within %d s", pod.Name, *grace)
	}
	if name := pod.Spec.NodeName; name != "" {
		tell("pod %s: on %s", pod.Name, name)
	}
}

func tellEvent(tell func(string, ...any), e *eventsv1.Event) {
	r := e.Regarding
	tell("event of %s about %s %s %s/%s %s: %s %s %s %q", e.ReportingController,
		r.APIVersion, r.Kind, r.Namespace, r.Name, r.UID, e.Type, e.Reason, e.Action, e.Note)
}

// completeEventsOf waits until the scheduler's Events about pods with this name have all these reasons.
func (w *world) completeEventsOf(name string, reasons []string) []eventsv1.Event {
	w.t.Helper()
	var events []eventsv1.Event
	w.eventually(10*time.Second, func() error {
		events = w.eventsOf(name)
		for _, reason := range reasons {
			if !slices.ContainsFunc(events, func(e eventsv1.Event) bool { return e.Reason == reason }) {
				return fmt.Errorf("pod %s has no event %s", name, reason)
			}
		}
		return nil
	})
	return events
}

// eventsOf returns the scheduler's Events so far about pods with this name.
func (w *world) eventsOf(name string) []eventsv1.Event {
	w.t.Helper()
	list, err := w.client.EventsV1().Events(w.ns).List(w.ctx, metav1.ListOptions{})
	w.must(err)
	return slices.DeleteFunc(list.Items, func(e eventsv1.Event) bool {
		return e.Regarding.Kind != "Pod" || e.Regarding.Name != name || e.ReportingController != w.ns
	})
}

// refused waits until the scheduler has reported a pod as unschedulable with this message, in its condition and in an
// Event.
func (w *world) refused(name, want string) {
	w.t.Helper()
	if got := w.unschedulable(name, 10*time.Second).Message; got != want {
		w.t.Errorf("condition PodScheduled of pod %s says\n%q, want\n%q", name, got, want)
	}
	pod, err := w.get(name)
	w.must(err)
	if e := w.event(pod, "FailedScheduling"); e.Note != want {
		w.t.Errorf("the event about pod %s says\n%q, want\n%q", name, e.Note, want)
	}
}
