package nodes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"berth.dev/berth/tests/cluster/internal/kubeadm"
)

const manifest = "/etc/kubernetes/manifests/kube-scheduler.yaml"

// A second control plane node, whose static pod kubeadm writes with the configuration of manifests/static-pod/kubeadm: it waits for
// the Lease, takes over when the first one's manifest is moved away, and reads its configuration again when the file is replaced.
func TestAStaticPodWithAConfigurationOfTheNode(t *testing.T) {
	w := newWorld(t, 4*time.Minute)
	second := "kube-scheduler-" + otherNode
	w.onSecondNode()
	w.ready(metav1.NamespaceSystem, second, time.Minute)
	w.ready(metav1.NamespaceSystem, staticPod, time.Minute)

	control := nodes[controlNode]
	text, err := os.ReadFile(control.File(manifest))
	w.must(err)
	w.must(os.Remove(control.File(manifest)))
	t.Cleanup(func() {
		w.must(os.WriteFile(control.File(manifest), text, 0o600))
		w.ready(metav1.NamespaceSystem, staticPod, time.Minute)
	})
	removed := time.Now()
	w.pod("next", "")
	w.ready(w.ns, "next", time.Minute)
	t.Logf("a pod runs %.1f s after the manifest of the first static pod is gone", time.Since(removed).Seconds())
	w.eventually(time.Minute, func() error {
		_, err := w.client.CoreV1().Pods(metav1.NamespaceSystem).Get(w.ctx, staticPod, metav1.GetOptions{})
		if !apierrors.IsNotFound(err) {
			return errors.Join(err, errors.New("the first static pod is still there"))
		}
		return nil
	})
	w.pod("second-profile", "my-scheduler") // of config/static-pod.yaml
	w.ready(w.ns, "second-profile", time.Minute)

	w.pod("third-profile", "third")
	config := nodes[otherNode].File("/etc/kubernetes/berth/scheduler-config.yaml")
	old, err := os.ReadFile(config)
	w.must(err)
	w.must(errors.Join(os.WriteFile(config+".new", append(old, "- schedulerName: third\n"...), 0o644), os.Rename(config+".new", config)))
	replaced := time.Now()
	w.ready(w.ns, "third-profile", time.Minute)
	t.Logf("a pod of the third profile runs %.1f s after the file has it", time.Since(replaced).Seconds())
	w.unrestarted(metav1.NamespaceSystem, second)
	w.proveAll()
}

// onSecondNode follows, on the other node, the steps of docs/install.md for a configuration of the node.
func (w *world) onSecondNode() {
	w.t.Helper()
	pod, err := kubeadm.Pod(filepath.Join(top, "manifests/static-pod/kubeadm/configuration.yaml"))
	w.must(err)
	pod.Spec.Containers[0].Image = fmt.Sprintf("berth:%s", w.version())
	text, err := yaml.Marshal(pod)
	w.must(err)
	if !strings.Contains(string(text), "--state-dir=/var/lib/berth") {
		w.t.Errorf("the pod does not have the configuration of the file: %s", text)
	}
	config, err := os.ReadFile(filepath.Join(top, "config/static-pod.yaml"))
	w.must(err)
	n := nodes[otherNode]
	w.must(errors.Join(
		os.MkdirAll(n.File("/etc/kubernetes/berth/plugins"), 0o755),
		os.WriteFile(n.File("/etc/kubernetes/berth/scheduler-config.yaml"), config, 0o644),
		os.WriteFile(n.File(manifest), text, 0o600)))
	w.t.Cleanup(func() { w.must(os.Remove(n.File(manifest))) })
}
