package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// Pods are created, changed, deleted, created again with the same name, and bound by another client, in every state:
// queued, in a cycle, assumed, in Bind. The other client uses a node that the scheduler does not use, because two
// schedulers that share a node can always overfill it.
func TestPodsComeChangeAndGoAtAnyMoment(t *testing.T) {
	const workers, rounds = 8, 150
	w := newWorld(t, 2*time.Minute)
	w.nodes("node", 4, func(n *fakelet.NodeSpec) { n.CPU = "1" })
	w.node("elsewhere", func(n *fakelet.NodeSpec) {
		n.CPU, n.Pods = "1000", "10000"
		n.Taints = []corev1.Taint{{Key: "elsewhere", Effect: corev1.TaintEffectNoSchedule}}
	})
	w.start(w.profile(fast, "podMaxBackoffSeconds: 1"))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w.parallel(workers, func(worker int) error {
		random := rand.New(rand.NewPCG(seed, uint64(worker)))
		for range rounds {
			if err := w.churn(random, fmt.Sprintf("pod-%d-%d", worker, random.IntN(4))); err != nil {
				return err
			}
			time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
		}
		return nil
	})
	// 32 pods at most, of 100m each, fit on four nodes of one CPU.
	w.eventually(20*time.Second, func() error {
		bound, all, err := w.count()
		if err == nil && bound < all {
			err = fmt.Errorf("%d of %d pods have a node", bound, all)
		}
		return err
	})
	w.prove()
}

// churn does one operation on the pod with this name, which may have become impossible.
func (w *world) churn(random *rand.Rand, name string) error {
	pods := w.client.CoreV1().Pods(w.ns)
	pod, err := pods.Create(w.ctx, w.newPod(name, cpu("100m")), metav1.CreateOptions{})
	if err == nil && random.IntN(3) > 0 {
		return nil
	}
	if apierrors.IsAlreadyExists(err) {
		pod, err = pods.Get(w.ctx, name, metav1.GetOptions{})
	}
	if err == nil {
		switch random.IntN(4) {
		case 0:
			err = w.bindElsewhere(pod, "elsewhere")
		case 1:
			patch := fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, random.Uint32())
			_, err = pods.Patch(w.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		default:
			var now int64
			err = pods.Delete(w.ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now})
		}
	}
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
