package cluster

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// smallAndLarge creates the nodes small and large with 1 and 8 CPUs, each in a zone of its name.
func (w *world) smallAndLarge() {
	w.t.Helper()
	for name, cpus := range map[string]string{"small": "1", "large": "8"} {
		w.node(name, func(n *fakelet.NodeSpec) {
			n.CPU, n.Labels = cpus, map[string]string{corev1.LabelTopologyZone: name}
		})
	}
}

// A claim waits for its first pod, the scheduler selects the volume's node, and the pod waits until the volume exists.
func TestAVolumeIsMadeWhereThePodGoes(t *testing.T) {
	asKubeScheduler(t, 2*time.Minute, func(w *world) []string {
		w.storageClass("fake.berth.dev")
		w.smallAndLarge()
		w.provision(6 * time.Second)
		w.start(w.profile())
		w.claim("data")
		w.pod("consumer", uses("data"), cpu("2"))
		w.eventually(10*time.Second, func() error {
			c, err := w.client.CoreV1().PersistentVolumeClaims(w.ns).Get(w.ctx, "data", metav1.GetOptions{})
			if err == nil && c.Annotations[selectedNode] != "large" {
				err = fmt.Errorf("the claim's annotations are %v", c.Annotations)
			}
			return err
		})
		// Other pods do not wait for the waiting one, whose resources are occupied.
		w.pod("other", cpu("6"))
		w.bound("other", 5*time.Second)
		w.pod("greedy", cpu("1500m"))
		w.refused("greedy", twoFull+noClaims+" preemption: 0/2 nodes are available: "+
			"1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.")
		pod := w.bound("consumer", joining)
		w.event(pod, "Scheduled")
		w.boundBehind("consumer", "data")
		return w.story("consumer", "other", "greedy")
	})
}

// The scheduler reports requirements that no node meets, and retries after a change.
func TestAVolumeThatCannotBeMade(t *testing.T) {
	asKubeScheduler(t, 2*time.Minute, func(w *world) []string {
		w.storageClass("fake.berth.dev", func(c *storagev1.StorageClass) {
			c.AllowedTopologies = []corev1.TopologySelectorTerm{{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{
				{Key: corev1.LabelTopologyZone, Values: []string{"elsewhere"}}}}}
		})
		w.smallAndLarge()
		w.provision(0)
		w.start(w.profile())
		w.pod("consumer", uses("data"))
		// The end of the message comes from DynamicResources: no node has a verdict.
		w.refused("consumer", `0/2 nodes are available: persistentvolumeclaim "data" not found. not found`)
		w.claim("data")
		none := "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind." +
			noClaims + notHelpful
		w.eventually(10*time.Second, func() error {
			if got := w.unschedulable("consumer", time.Second).Message; got != none {
				return fmt.Errorf("%q, want %q", got, none)
			}
			return nil
		})
		w.node("far", func(n *fakelet.NodeSpec) { n.Labels = map[string]string{corev1.LabelTopologyZone: "elsewhere"} })
		pod := w.bound("consumer", joining)
		w.event(pod, "Scheduled")
		w.boundBehind("consumer", "data")
		return w.story("consumer")
	})
}

// Existing volumes, each on its node: the pod is scheduled to a free one.
func TestAVolumeThatIsThere(t *testing.T) {
	asKubeScheduler(t, 2*time.Minute, func(w *world) []string {
		w.storageClass(noProvisioner)
		w.smallAndLarge()
		w.must(w.createVolume(w.volume("disk", "small")))
		w.start(w.profile())
		w.claim("data")
		w.claim("more")
		pod := w.pod("consumer", uses("data"))
		if node := w.bound("consumer", joining).Spec.NodeName; node != "small" {
			w.t.Errorf("the pod is on node %s, its volume on node small", node)
		}
		w.event(pod, "Scheduled")
		w.boundBehind("consumer", "data")
		w.pod("late", uses("more"))
		w.refused("late", "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."+
			noClaims+notHelpful)
		w.must(w.createVolume(w.volume("second", "large")))
		if node := w.bound("late", joining).Spec.NodeName; node != "large" {
			w.t.Errorf("the pod is on node %s, its volume on node large", node)
		}
		w.boundBehind("late", "more")
		// A second pod with the claim runs on the volume's node, or on none.
		w.pod("beside", uses("data"), selector(corev1.LabelHostname, "large"))
		w.refused("beside", "0/2 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, "+
			"1 node(s) didn't match Pod's node affinity/selector."+
			noClaims+notHelpful)
		return w.story("consumer", "late", "beside")
	})
}
