package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/node/machine"
)

// PauseImage is the sandbox of each pod. An archive in Options.Images has it.
const PauseImage = "berth.test/pause:1"

// The configuration of Debian's containerd 1.6.
const containerdConfig = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "` + PauseImage + `"
  # Otherwise a container may not get a lower value than containerd has on this machine.
  restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "/usr/lib/cni"
  conf_dir = "/etc/cni/net.d"
`

// Each pod has its own network, with the node as the router.
const podNetwork = `{"cniVersion": "1.0.0", "name": "pods", "plugins": [{"type": "ptp", "ipam": {"type": "host-local",
"dataDir": "/run/cni", "ranges": [[{"subnet": "10.244.%d.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}`

// The kubelet evicts no pod and deletes no image, however full the disk of this machine is.
const kubeletConfig = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: %[1]s
readOnlyPort: 10255
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: /etc/kubernetes/pki/client-ca.crt}}
authorization: {mode: Webhook}
staticPodPath: /etc/kubernetes/manifests
containerRuntimeEndpoint: unix://` + machine.Socket + `
volumePluginDir: /var/lib/kubelet/volume-plugins
cgroupDriver: cgroupfs
cgroupRoot: /%[2]s
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
localStorageCapacityIsolation: false
evictionHard: {memory.available: 0%%, nodefs.available: 0%%, nodefs.inodesFree: 0%%, imagefs.available: 0%%, imagefs.inodesFree: 0%%}
imageGCHighThresholdPercent: 100
serializeImagePulls: false
# So often the kubelet looks whether the volumes of a pod have changed: an edit of a ConfigMap arrives after as many seconds at most,
# and by default after a minute.
syncFrequency: 10s
`

func (n *Node) kubeletArgs() []string {
	return []string{"--config=/etc/kubernetes/kubelet.yaml", "--kubeconfig=/etc/kubernetes/kubelet.conf",
		"--hostname-override=" + n.Name, "--node-ip=" + n.IP, "--v=2"}
}

// write creates the files that the first process of the node mounts.
func (n *Node) write(c *controlplane.ControlPlane, root string, etc map[string]string) error {
	kubeconfig, err := c.Kubeconfig("kubelet-"+n.Name, controlplane.NodeIdentity(n.Name), "")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		return err
	}
	clientCA, err := os.ReadFile(c.ClientCA())
	if err != nil {
		return err
	}
	files := map[string]string{
		"etc/kubernetes/pki/client-ca.crt": string(clientCA),
		"etc/containerd/config.toml":       containerdConfig,
		"etc/cni/net.d/10-pods.conflist":   fmt.Sprintf(podNetwork, n.options.Number),
		"etc/kubernetes/kubelet.yaml":      fmt.Sprintf(kubeletConfig, n.IP, n.cgroup),
		"etc/kubernetes/kubelet.conf":      string(text),
	}
	for name, text := range etc {
		files[filepath.Join("etc", name)] = text
	}
	for name, value := range machine.Settings {
		files[filepath.Join("settings", name)] = value
	}
	var errs []error
	for _, dir := range []string{"etc/kubernetes/manifests", "lib", "work"} {
		errs = append(errs, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for name, text := range files {
		file := filepath.Join(root, name)
		errs = append(errs, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600))
	}
	return errors.Join(errs...)
}
