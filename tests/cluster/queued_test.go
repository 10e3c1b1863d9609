package cluster

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

func TestAPodIsDeletedAndRecreatedUnderItsNameInTheQueue(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node")
	w.start(w.profile())
	w.pod("pod", selector("disk", "ssd"))
	w.unschedulable("pod", 10*time.Second)
	w.deleteNow("pod")
	w.pod("pod")
	w.bound("pod", 10*time.Second)
	w.prove()
}

func TestAChangeOfAQueuedPodWakesIt(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node", func(n *fakelet.NodeSpec) {
		n.Taints = []corev1.Taint{{Key: "key", Effect: corev1.TaintEffectNoSchedule}}
	})
	w.start(w.profile())
	w.pod("pod")
	w.unschedulable("pod", 10*time.Second)
	time.Sleep(backoff)
	pod, err := w.get("pod")
	w.must(err)
	pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: "key", Operator: corev1.TolerationOpExists})
	_, err = w.client.CoreV1().Pods(w.ns).Update(w.ctx, pod, metav1.UpdateOptions{})
	w.must(err)
	w.bound("pod", slack)
	w.prove()
}

func TestAQueuedPodIsBoundBySomebodyElse(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node", oneCPU)
	w.start(w.profile())
	pod := w.pod("pod", cpu("1"), selector("disk", "ssd"))
	w.unschedulable("pod", 10*time.Second)
	w.must(w.bindElsewhere(pod, "node"))
	w.pod("next", cpu("1"))
	w.unschedulable("next", 10*time.Second)
	w.label("node", "disk", "ssd") // no pod is left that this event can wake
	time.Sleep(backoff)
	if events, err := w.events(pod, "Scheduled"); err != nil || len(events) > 0 {
		t.Errorf("the scheduler reports that it has scheduled a pod that another client bound: %v %v", events, err)
	}
	w.prove()
}

func TestANodeGoesWithItsPodsAndComesBack(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node", func(n *fakelet.NodeSpec) { n.CPU = "2" })
	d := w.start(w.profile())
	w.pod("old", cpu("1"))
	w.bound("old", 10*time.Second)
	w.must(w.client.CoreV1().Nodes().Delete(w.ctx, "node", metav1.DeleteOptions{}))
	// Two watches report pods and nodes, in any order.
	w.eventually(10*time.Second, func() error {
		text, err := os.ReadFile(d.Log())
		if err == nil && !strings.Contains(string(text), `"Delete event for node" node="node"`) {
			err = errors.New("the scheduler has not heard yet that the node went")
		}
		return err
	})
	w.pod("new", cpu("1"))
	w.unschedulable("new", 10*time.Second)
	time.Sleep(backoff)
	w.node("node", func(n *fakelet.NodeSpec) { n.CPU = "2" })
	w.bound("new", 2*slack) // without any node it was delayed as after an error, maybe twice
	w.pod("third", cpu("1"))
	w.unschedulable("third", 10*time.Second) // the old pod still counts
	w.prove()
}

// A terminating pod is not scheduled; it is removed with its finalizer.
func TestAQueuedPodThatIsBeingDeletedIsNotBound(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.start(w.profile())
	w.pod("pod", func(p *corev1.Pod) { p.Finalizers = []string{"berth.dev/test"} })
	w.unschedulable("pod", 10*time.Second)
	w.must(w.client.CoreV1().Pods(w.ns).Delete(w.ctx, "pod", metav1.DeleteOptions{}))
	w.node("node")
	w.pod("other")
	w.bound("other", 10*time.Second)
	time.Sleep(backoff)
	pod, err := w.get("pod")
	w.must(err)
	if pod.Spec.NodeName != "" {
		t.Errorf("the pod was bound to %s while it was being deleted", pod.Spec.NodeName)
	}
	_, err = w.client.CoreV1().Pods(w.ns).Patch(w.ctx, "pod", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	w.must(err)
}
