package cluster

import (
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

func oneCPU(n *fakelet.NodeSpec) { n.CPU = "1" }

// heldBinding creates the nodes left and right with one CPU each and makes the scheduler choose left for the pod
// victim, which requests a whole CPU. It returns after the scheduler has sent the binding and before the API server
// receives it. release forwards it.
func (w *world) heldBinding() (victim *corev1.Pod, release func()) {
	w.t.Helper()
	for _, side := range []string{"left", "right"} {
		w.node(side, oneCPU, func(n *fakelet.NodeSpec) { n.Labels = map[string]string{"side": side} })
	}
	p := w.proxied()
	held, released := make(chan struct{}, 1), make(chan struct{})
	p.Set(proxy.Rule{Before: func(r *http.Request) {
		if !binds(r, "victim") {
			return
		}
		select {
		case held <- struct{}{}:
		default: // a second attempt, which has to wait as well
		}
		select {
		case <-released:
		case <-w.ctx.Done():
		}
	}})
	w.start(w.profile("podMaxBackoffSeconds: 1"), through(p))
	victim = w.pod("victim", cpu("1"), selector("side", "left"))
	select {
	case <-held:
	case <-time.After(10 * time.Second):
		w.t.Fatal("the scheduler does not bind the pod")
	}
	return victim, func() { close(released) }
}

func (w *world) deleteNow(name string) {
	w.t.Helper()
	var now int64
	w.must(w.client.CoreV1().Pods(w.ns).Delete(w.ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now}))
}

// bindElsewhere binds the pod as another scheduler would.
func (w *world) bindElsewhere(pod *corev1.Pod, node string) error {
	return w.client.CoreV1().Pods(w.ns).Bind(w.ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID}, Target: corev1.ObjectReference{Kind: "Node", Name: node},
	}, metav1.CreateOptions{})
}

func TestAnAssumedPodTakesItsRoom(t *testing.T) {
	w := newWorld(t, time.Minute)
	_, release := w.heldBinding()
	w.pod("second", cpu("1"), selector("side", "left"))
	w.unschedulable("second", 10*time.Second)
	release()
	w.bound("victim", 10*time.Second)
	w.prove()
}

func TestAPodIsDeletedInBind(t *testing.T) {
	w := newWorld(t, time.Minute)
	_, release := w.heldBinding()
	w.deleteNow("victim")
	release()
	w.pod("next", cpu("1"), selector("side", "left"))
	w.bound("next", 10*time.Second)
	w.prove()
}

// The binding contains the UID of the pod, so a new pod with its name is scheduled separately.
func TestAPodIsRecreatedUnderItsNameInBind(t *testing.T) {
	w := newWorld(t, time.Minute)
	_, release := w.heldBinding()
	w.deleteNow("victim")
	w.pod("victim", cpu("1"), selector("side", "right"))
	release()
	if pod := w.bound("victim", 10*time.Second); pod.Spec.NodeName != "right" {
		t.Errorf("the new pod is on node %s, which was chosen for the old one", pod.Spec.NodeName)
	}
	w.pod("next", cpu("1"), selector("side", "left"))
	w.bound("next", 10*time.Second)
	w.prove()
}

func TestAPodIsChangedInBind(t *testing.T) {
	w := newWorld(t, time.Minute)
	_, release := w.heldBinding()
	_, err := w.client.CoreV1().Pods(w.ns).Patch(w.ctx, "victim", types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`), metav1.PatchOptions{})
	w.must(err)
	release()
	w.bound("victim", 10*time.Second)
	w.prove()
}

func TestAPodIsBoundBySomebodyElseInBind(t *testing.T) {
	w := newWorld(t, time.Minute)
	victim, release := w.heldBinding()
	w.must(w.bindElsewhere(victim, "right"))
	release()
	w.pod("on-left", cpu("1"), selector("side", "left"))
	w.bound("on-left", 10*time.Second) // the scheduler forgets the pod that it assumed there
	w.pod("on-right", cpu("1"), selector("side", "right"))
	w.unschedulable("on-right", 10*time.Second) // and counts the pod on its actual node
	w.prove()
}

func TestANodeGoesInBindAndComesBack(t *testing.T) {
	w := newWorld(t, time.Minute)
	_, release := w.heldBinding()
	w.must(w.client.CoreV1().Nodes().Delete(w.ctx, "left", metav1.DeleteOptions{}))
	release()
	w.bound("victim", 10*time.Second) // the API server does not check a binding's node
	w.node("left", oneCPU, func(n *fakelet.NodeSpec) { n.Labels = map[string]string{"side": "left"} })
	w.pod("next", cpu("1"), selector("side", "left"))
	w.unschedulable("next", 10*time.Second)
	w.prove()
}
