package cluster

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

func podLabel(key string) podOption {
	return func(pod *corev1.Pod) {
		if pod.Labels == nil {
			pod.Labels = map[string]string{}
		}
		pod.Labels[key] = "true"
	}
}

// held starts a scheduler whose profile has the plugin HoldUntilOpened, on the nodes left and right of one CPU each, and makes it
// hold pod victim, which uses all of left, in Permit.
func (w *world) held() *corev1.Pod {
	w.t.Helper()
	onlyBerth(w.t, "plugin that waits in Permit")
	for _, side := range []string{"left", "right"} {
		w.node(side, oneCPU, func(n *fakelet.NodeSpec) { n.Labels = map[string]string{"side": side} })
	}
	d := w.start(w.profile("podMaxBackoffSeconds: 1")+"  plugins:\n    permit: {enabled: [{name: HoldUntilOpened}]}\n", func(o *daemon.Options) {
		o.Extra = append(o.Extra, "--plugin-dir="+filepath.Join(root, "build/dev/tests/cluster/plugins"))
	})
	victim := w.pod("victim", cpu("1"), selector("side", "left"), podLabel("hold"))
	w.says(d, "Attempting to schedule pod.*victim", 10*time.Second)
	return victim
}

// full is the message for a pod while the held pod still uses the node left.
func (w *world) full() {
	w.t.Helper()
	w.pod("second", cpu("1"), selector("side", "left"))
	w.unschedulable("second", 10*time.Second)
}

func TestAPodInPermitTakesItsRoomAndIsLetThrough(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.held()
	w.full()
	w.pod("opener", podLabel("open"), selector("side", "right"))
	w.bound("victim", 10*time.Second)
	w.prove()
}

func TestAPodIsDeletedInPermit(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.held()
	w.full()
	w.deleteNow("victim")
	w.bound("second", 10*time.Second)
	w.prove()
}

func TestAPodIsChangedInPermit(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.held()
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]string{"changed": "true"}}})
	w.must(err)
	_, err = w.client.CoreV1().Pods(w.ns).Patch(w.ctx, "victim", types.MergePatchType, patch, metav1.PatchOptions{})
	w.must(err)
	w.full()
	w.pod("opener", podLabel("open"), selector("side", "right"))
	w.bound("victim", 10*time.Second)
	w.prove()
}

func TestAPodInPermitIsBoundBySomebodyElse(t *testing.T) {
	w := newWorld(t, time.Minute)
	victim := w.held()
	w.full()
	w.must(w.bindElsewhere(victim, "right"))
	w.bound("second", 10*time.Second)
	w.prove()
}
