package cluster

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// crowd is the number of pods that the tests of this file create at once. They fit on the nodes exactly, so a pod that
// is counted twice or lost leaves another one without a node.
const crowd = 500

// amid creates nodes and pods, starts a scheduler, and returns while some pods are bound and some are not.
func amid(t *testing.T, w *world) *daemon.Daemon {
	t.Helper()
	w.nodes("node", 10, func(n *fakelet.NodeSpec) { n.CPU, n.Memory = "5", "50Gi" })
	w.pods("pod", crowd, cpu("100m"))
	d := w.start(w.profile("clientConnection: {qps: 100, burst: 100}"))
	w.atLeast(crowd/5, 30*time.Second)
	if bound, _, err := w.count(); err == nil && bound > crowd*4/5 {
		t.Logf("%d of %d pods were bound already when the disturbance came", bound, crowd)
	}
	return d
}

// settled waits until every pod is bound and checks the history.
func settled(w *world) {
	w.t.Helper()
	w.atLeast(crowd, time.Minute)
	if proof := w.prove(); len(proof.Bound) < crowd {
		w.t.Errorf("the history knows %d bound pods, not %d", len(proof.Bound), crowd)
	}
}

// settledAfterLoss is settled for lost answers to bindings. kube-scheduler treats such a binding as failed and releases
// the pod's resources until its watch reports the binding, so only the rest is checked for it.
func settledAfterLoss(w *world) {
	w.t.Helper()
	if kind == daemon.Berth {
		settled(w)
		w.pod("after", cpu("100m"))
		w.unschedulable("after", 10*time.Second) // the nodes are full: no pod is missing in the counts
		return
	}
	w.atLeast(crowd, time.Minute)
	proof := w.past()
	w.none("pods that did not stay on their node", proof.Moved)
	w.t.Logf("kube-scheduler overfilled nodes %d times", len(proof.Overfull))
}

func TestTheAPIServerIsKilledAmidPods(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	d := amid(t, w)
	w.must(w.plane.KillAPIServer())
	time.Sleep(3 * time.Second) // long enough to be noticed
	w.must(w.plane.RestartAPIServer(w.ctx))
	settledAfterLoss(w)
	w.must(d.Ready(w.ctx))
	w.must(w.client.CoreV1().Pods(w.ns).DeleteCollection(w.ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	w.pod("last", cpu("5"))
	w.bound("last", 20*time.Second) // the scheduler knows of each deletion
}

func TestTheSchedulerIsKilledAmidPods(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	w.must(amid(t, w).Kill())
	w.start(w.profile(fast))
	settled(w)
}

// At SIGTERM a scheduler finishes its open bindings: it ends soon, with the exit code of kube-scheduler without leader
// election, and each pod that it bound has its Event.
func TestTheSchedulerIsAskedToEndAmidPods(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	d := amid(t, w)
	w.must(d.Signal(syscall.SIGTERM))
	code, err := d.Wait(10 * time.Second)
	w.must(err)
	if code != 1 {
		t.Errorf("exit code %d, want 1: terminated without leader election", code)
	}
	if kind == daemon.Berth { // kube-scheduler does not finish its bindings
		w.must(w.everyBoundPodHasItsEvent())
		before := w.boundNow()
		time.Sleep(time.Second)
		if after := w.boundNow(); after != before {
			t.Errorf("%d pods were bound when the scheduler had ended, then %d", before, after)
		}
	}
	w.start(w.profile(fast))
	settled(w)
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	w := newWorld(t, time.Minute)
	d := amid(t, w)
	w.must(d.Signal(syscall.SIGTERM))
	time.Sleep(100 * time.Millisecond) // two signals at the same time are one
	w.must(d.Signal(syscall.SIGTERM))
	code, err := d.Wait(4 * time.Second)
	w.must(err)
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

// boundNow counts the pods with a node from the latest revision, unlike count.
func (w *world) boundNow() int {
	w.t.Helper()
	selector := fields.OneTermNotEqualSelector("spec.nodeName", "").String()
	pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{FieldSelector: selector})
	w.must(err)
	return len(pods.Items)
}

func (w *world) everyBoundPodHasItsEvent() error {
	pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	events, err := w.client.EventsV1().Events(w.ns).List(w.ctx, metav1.ListOptions{FieldSelector: "reason=Scheduled"})
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, e := range events.Items {
		told[string(e.Regarding.UID)+" to "+e.Note[len(e.Note)-len("node-0"):]] = true
	}
	for _, pod := range pods.Items {
		if node := pod.Spec.NodeName; node != "" && !told[string(pod.UID)+" to "+node] {
			return fmt.Errorf("pod %s is bound to %s and has no event that says so", pod.Name, node)
		}
	}
	return nil
}
