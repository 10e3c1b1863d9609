// Package install compares what an operator installs with what kubeadm and Kubernetes install. It needs no control plane.
package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"berth.dev/berth/tests/cluster/internal/kubeadm"
)

const staticPod = "../../../manifests/static-pod"

// kubeadmsPod is the pod that kubeadm writes, with a file of manifests/static-pod/kubeadm or "".
func kubeadmsPod(t *testing.T, file string) corev1.Pod {
	t.Helper()
	if file != "" {
		file = filepath.Join(staticPod, "kubeadm", file)
	}
	pod, err := kubeadm.Pod(file)
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(staticPod, file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// text is the pod as kubeadm writes it to a file.
func text(t *testing.T, pod corev1.Pod) string {
	t.Helper()
	out, err := yaml.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestOnlyTheImageDiffersFromKubeadmsManifest(t *testing.T) {
	var ours corev1.Pod
	read(t, "kube-scheduler.yaml", &ours)
	theirs := kubeadmsPod(t, "")
	theirs.Spec.Containers[0].Image = ours.Spec.Containers[0].Image
	if want, got := text(t, theirs), text(t, ours); got != want {
		t.Errorf("manifests/static-pod/kube-scheduler.yaml is\n%s\nand kubeadm writes\n%s", got, want)
	}
	if image := ours.Spec.Containers[0].Image; !strings.Contains(image, "berth:") {
		t.Errorf("the image is %s", image)
	}
}

// kubeadm applies a file TARGET[SUFFIX][+PATCHTYPE].yaml (cmd/kubeadm/app/util/patches).
func TestThePatchMakesTheManifestOfKubeadmsPod(t *testing.T) {
	var patch map[string]any
	read(t, "kubeadm/patches/kube-scheduler+strategic.yaml", &patch)
	var want corev1.Pod
	read(t, "kube-scheduler.yaml", &want)
	original, err := yaml.YAMLToJSON([]byte(text(t, kubeadmsPod(t, ""))))
	if err != nil {
		t.Fatal(err)
	}
	change, err := yaml.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	if change, err = yaml.YAMLToJSON(change); err != nil {
		t.Fatal(err)
	}
	merged, err := strategicpatch.StrategicMergePatch(original, change, corev1.Pod{})
	if err != nil {
		t.Fatal(err)
	}
	var got corev1.Pod
	if err := yaml.Unmarshal(merged, &got); err != nil {
		t.Fatal(err)
	}
	if text(t, got) != text(t, want) {
		t.Errorf("the patched pod is\n%s\nand manifests/static-pod/kube-scheduler.yaml\n%s", text(t, got), text(t, want))
	}
}

// program is berth-scheduler of the preset dev, or BERTH_SCHEDULER.
func program(t *testing.T) string {
	t.Helper()
	file := os.Getenv("BERTH_SCHEDULER")
	if file == "" {
		file = "../../../build/dev/bin/berth-scheduler"
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("berth-scheduler is not built: %v", err)
	}
	return file
}

// kubeconfig names an API server to which nobody connects: the scheduler ends before it connects.
const kubeconfig = `{apiVersion: v1, kind: Config, current-context: a,
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}], users: [{name: a, user: {token: t}}],
contexts: [{name: a, context: {cluster: a, user: a}}]}`

// onNode replaces the directories of a control plane node by those of dir, and those of the image by those of the build.
func onNode(dir, text string) string {
	plugins := os.Getenv("BERTH_PLUGIN_DIR")
	if plugins == "" {
		plugins = "../../../build/dev/lib/berth/plugins"
	}
	return strings.NewReplacer("/etc/kubernetes/", dir+"/", "/var/lib/berth", dir+"/state",
		"/opt/berth/lib/berth/plugins", plugins).Replace(text)
}

// nodesFiles has the files that kubeadm and docs/install.md put on a control plane node.
func nodesFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	config, err := os.ReadFile("../../../config/static-pod.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "berth", "plugins"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"scheduler.conf": kubeconfig, "berth/scheduler-config.yaml": onNode(dir, string(config))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheSchedulerAcceptsEveryFlagOfTheStaticPod(t *testing.T) {
	for name, pod := range map[string]corev1.Pod{
		"kubeadm's":                        kubeadmsPod(t, ""),
		"kubeadm's with our configuration": kubeadmsPod(t, "configuration.yaml"),
	} {
		t.Run(name, func(t *testing.T) {
			command := pod.Spec.Containers[0].Command
			if command[0] != "kube-scheduler" {
				t.Fatalf("the command is %s: the image has links of other names", command[0])
			}
			dir := nodesFiles(t)
			written := filepath.Join(dir, "written.yaml")
			args := []string{"--write-config-to=" + written, "--admin-address="}
			for _, arg := range command[1:] {
				args = append(args, onNode(dir, arg))
			}
			if out, err := exec.Command(program(t), args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			if _, err := os.Stat(written); err != nil {
				t.Error(err)
			}
		})
	}
	if out, err := exec.Command(program(t), "--no-such-flag").CombinedOutput(); err == nil {
		t.Errorf("a flag that does not exist is accepted: %s", out)
	}
}

func TestTheConfigurationOfTheStaticPodIsMounted(t *testing.T) {
	container := kubeadmsPod(t, "configuration.yaml").Spec.Containers[0]
	for _, arg := range container.Command[1:] {
		_, path, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/opt/berth/") {
			continue // no path, or one of the image
		}
		if !slices.ContainsFunc(container.VolumeMounts, func(m corev1.VolumeMount) bool {
			return path == m.MountPath || strings.HasPrefix(path, m.MountPath+"/")
		}) {
			t.Errorf("%s is on no volume", arg)
		}
	}
}
