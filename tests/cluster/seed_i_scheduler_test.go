package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// file is the text of a file of the source tree.
func (w *world) file(path string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	w.must(err)
	return string(text)
}

func (w *world) kubectl(args ...string) string {
	w.t.Helper()
	out, err := w.plane.Kubectl(w.ctx, args...)
	w.must(err)
	return out
}

// An operator's session: no node has the label, then labels of 10, 20, and 30 move the Deployment's pod from node to
// node, and `kubectl describe` shows the reasons.
func TestSeedIScheduler(t *testing.T) {
	onlyBerth(t, "plugin Priority")
	w := newWorld(t, 2*time.Minute)
	w.node("scheduler-1")
	w.node("scheduler-2")
	w.start(w.file("config/i-scheduler.yaml"))
	w.kubectl("apply", "-n", w.ns, "-f", filepath.Join(root, "manifests/examples/i-scheduler/test-deployment.yaml"))

	w.describes(`Warning +FailedScheduling +\S+ +i-scheduler +` + regexp.QuoteMeta(noLabels+noClaims+noVictims) + `\n`)
	w.kubectl("label", "node", "scheduler-1", "priority.lixueduan.com=10")
	w.deployedOn("scheduler-1")
	w.describes(`Warning +FailedScheduling +\S+ +i-scheduler +0/2 nodes`)
	w.describes(`Normal +Scheduled +\S+ +i-scheduler +Successfully assigned ` + w.ns + `/test-\S+ to scheduler-1\n`)

	w.kubectl("label", "node", "scheduler-2", "priority.lixueduan.com=20")
	w.restart()
	w.deployedOn("scheduler-2")
	w.kubectl("label", "node", "scheduler-1", "priority.lixueduan.com=30", "--overwrite")
	w.restart()
	w.deployedOn("scheduler-1")
	w.prove()
}

// noLabels is the message of the plugin Priority for nodes without the label.
const noLabels = "0/2 nodes are available: 1 Node:Node: scheduler-1 does not have label priority.lixueduan.com, " +
	"1 Node:Node: scheduler-2 does not have label priority.lixueduan.com."

// The expected output is older than the plugin DynamicResources, so this test runs without it.
func TestSeedISchedulerAsItWasTold(t *testing.T) {
	onlyBerth(t, "plugin Priority")
	w := newWorld(t, time.Minute)
	w.node("scheduler-1")
	w.node("scheduler-2")
	config := w.file("config/i-scheduler.yaml")
	without := strings.Replace(config, "  plugins:\n", "  plugins:\n    postFilter: {disabled: [{name: DynamicResources}]}\n", 1)
	if without == config {
		t.Fatal("config/i-scheduler.yaml has no plugins")
	}
	w.start(without)
	w.kubectl("apply", "-n", w.ns, "-f", filepath.Join(root, "manifests/examples/i-scheduler/test-deployment.yaml"))
	w.describes(`Warning +FailedScheduling +\S+ +i-scheduler +` + regexp.QuoteMeta("0/2 nodes are available: "+
		"1 Node:Node: scheduler-1 does not have label priority.lixueduan.com, "+
		"1 Node:Node: scheduler-2 does not have label priority.lixueduan.com. "+
		"preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.") + `\n`)
}

// restart replaces the pod by a new one. kubectl refuses a second restart within a second.
func (w *world) restart() {
	w.t.Helper()
	w.eventually(3*time.Second, func() error {
		_, err := w.plane.Kubectl(w.ctx, "rollout", "restart", "-n", w.ns, "deployment", "test")
		return err
	})
}

// describes waits until `kubectl describe` of the namespace's pods matches.
func (w *world) describes(pattern string) {
	w.t.Helper()
	want := regexp.MustCompile(pattern)
	w.eventually(10*time.Second, func() error {
		out, err := w.plane.Kubectl(w.ctx, "describe", "pods", "-n", w.ns)
		if err == nil && !want.MatchString(out) {
			err = fmt.Errorf("no %s in:\n%s", pattern, out)
		}
		return err
	})
}

// deployedOn waits until the Deployment's rollout is complete and its one pod runs on this node.
func (w *world) deployedOn(node string) {
	w.t.Helper()
	w.eventually(20*time.Second, func() error {
		pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		if len(pods.Items) != 1 {
			return fmt.Errorf("%d pods", len(pods.Items))
		}
		if pod := pods.Items[0]; pod.Spec.NodeName != node || pod.Status.Phase != corev1.PodRunning {
			return fmt.Errorf("pod %s is %s on %q, not Running on %s", pod.Name, pod.Status.Phase, pod.Spec.NodeName, node)
		}
		return nil
	})
}
