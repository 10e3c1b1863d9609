package cluster

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// The command of kubeadm's static pod runs, and its probes are answered: with the flags of the manifest, the node's kubeconfig
// replaced by one of the control plane, and another port.
func TestTheStaticPodsCommandServesItsProbes(t *testing.T) {
	w := newWorld(t, time.Minute)
	var pod corev1.Pod
	w.must(yaml.UnmarshalStrict([]byte(w.file("manifests/static-pod/kube-scheduler.yaml")), &pod))
	container := pod.Spec.Containers[0]
	kubeconfig, err := w.plane.Kubeconfig("static-pod", controlplane.KubeScheduler, "")
	w.must(err)
	ports, err := controlplane.FreePorts(1)
	w.must(err)
	port := fmt.Sprint(ports[0])

	args := []string{"--secure-port=" + port}
	for _, arg := range container.Command[1:] {
		args = append(args, strings.Replace(arg, "/etc/kubernetes/scheduler.conf", kubeconfig, 1))
	}
	path := filepath.Join(programsDir, programs.Scheduler)
	if kind == daemon.Berth {
		args = append(args, "--admin-address=", "--plugin-dir="+pluginDir())
		path = schedulerProgram()
	}
	scheduler, err := process.Start(filepath.Join(w.dir, "static-pod.log"), path, args...)
	w.must(err)
	t.Cleanup(func() { w.must(scheduler.Kill()) })

	for name, probe := range map[string]*corev1.Probe{"startup": container.StartupProbe, "liveness": container.LivenessProbe, "readiness": container.ReadinessProbe} {
		get := probe.HTTPGet
		if get.Port.StrVal != container.Ports[0].Name || container.Ports[0].ContainerPort != 10259 {
			t.Errorf("the %s probe asks port %s, and the container's port is %v", name, get.Port.String(), container.Ports[0])
		}
		url := strings.ToLower(string(get.Scheme)) + "://" + get.Host + ":" + port + get.Path
		w.eventually(30*time.Second, func() error { return process.Get(w.ctx, process.Trusting, url) })
	}
	// Everything else needs permission.
	if status, _ := w.ask(http.MethodGet, "https://127.0.0.1:"+port+"/metrics"); status != http.StatusForbidden {
		t.Errorf("GET /metrics without credentials: %d", status)
	}
}

// schedulerProgram and pluginDir are Berth's under test.
func schedulerProgram() string {
	if file := os.Getenv("BERTH_SCHEDULER"); file != "" {
		return file
	}
	return filepath.Join(root, "build/dev/bin/berth-scheduler")
}

func pluginDir() string {
	if dir := os.Getenv("BERTH_PLUGIN_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(root, "build/dev/lib/berth/plugins")
}
