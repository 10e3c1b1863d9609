package cluster

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// Pods whose volumes are not provisioned wait in PreBind. They do not delay other pods, and occupy only their
// resources.
func TestPodsInPreBindHoldNobodyUp(t *testing.T) {
	const waiting, others = 2000, 400
	onlyBerth(t, "wait in PreBind without a thread and a poll per pod")
	w := newWorld(t, 5*time.Minute)
	w.storageClass("nobody.berth.dev")
	w.nodes("node", 30, func(n *fakelet.NodeSpec) { n.CPU, n.Pods = "32", "200" })
	w.start(w.profile(fast))
	alone := w.howLong("alone", others)
	w.parallel(waiting, func(i int) error {
		name := fmt.Sprintf("waiting-%d", i)
		if err := w.createClaim(name); err != nil {
			return err
		}
		_, err := w.client.CoreV1().Pods(w.ns).Create(w.ctx, w.newPod(name, uses(name), cpu("10m")), metav1.CreateOptions{})
		return err
	})
	w.eventually(2*time.Minute, func() error { return w.selected(waiting) })
	placed := others
	holdsNobodyUp(t, alone/2+time.Second, func(i int) time.Duration {
		beside := w.howLong(fmt.Sprintf("beside-%d", i), others)
		placed += others
		t.Logf("%d pods had their nodes after %s, and after %s beside %d in PreBind", others, alone, beside, waiting)
		return beside - alone
	})
	if bound, _, err := w.count(); err != nil || bound != placed {
		t.Errorf("%d pods have a node, not %d (%v)", bound, placed, err)
	}
	w.prove()
}

// howLong creates n small pods of an app and returns the time until all have a node.
func (w *world) howLong(app string, n int) time.Duration {
	w.t.Helper()
	begin := time.Now()
	w.pods(app, n, cpu("10m"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": app} })
	w.eventually(time.Minute, func() error {
		bound := 0
		for _, pod := range w.ofApp(app) {
			if pod.Spec.NodeName != "" {
				bound++
			}
		}
		if bound < n {
			return fmt.Errorf("%d of %d pods have a node", bound, n)
		}
		return nil
	})
	return time.Since(begin)
}
