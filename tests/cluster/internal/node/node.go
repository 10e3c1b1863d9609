// Package node runs real nodes on this machine: containerd, runc, and a kubelet each, in separate namespaces and directories. A
// node has the machine's programs and libraries, read-only. Its network has no other device than loopback and those of its pods:
// it reaches the API server, and nothing else, through this process (network.go). When its first process ends, the kernel ends
// all its processes and mounts.
package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/node/machine"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// Options describe a node.
type Options struct {
	Programs string // directory of programs.RealNodes
	Name     string // one of controlplane.Options.Nodes
	Number   int    // 1 to 250, unique for each node: part of its addresses
	Root     string // directory of the nodes' files; must be empty or created by another node
	Logs     string // directory for the logs of the node and of its pods
	Images   string // directory of archives, which the node's containerd imports
}

// Node is a running node. Only one goroutine may use it.
type Node struct {
	Name      string
	Logs      string // kubelet.log, containerd.log, and pods/NAMESPACE_POD_UID/CONTAINER/RESTARTS.log
	IP        string
	options   Options
	process   *process.Process
	cgroup    string
	listeners []net.Listener
}

const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// Start starts a node of the control plane, with these files in its /etc, and does not wait until it is ready. The caller stops
// it, also after an error.
func Start(c *controlplane.ControlPlane, o Options, etc map[string]string) (*Node, error) {
	root := filepath.Join(o.Root, o.Name)
	n := &Node{Name: o.Name, Logs: filepath.Join(o.Logs, o.Name), IP: fmt.Sprintf("192.0.2.%d", o.Number),
		options: o, cgroup: filepath.Join(filepath.Base(o.Root), o.Name)}
	if err := errors.Join(n.write(c, root, etc), makeCgroups(n.cgroup), os.MkdirAll(n.Logs, 0o755)); err != nil {
		return n, err
	}
	text, err := json.Marshal(machine.Machine{
		Name: n.Name, Root: root, Logs: n.Logs, Images: o.Images, Addresses: []string{n.IP + "/32", controlplane.ServiceIP + "/32"},
		Kubelet: filepath.Join(o.Programs, programs.Kubelet), KubeletArgs: n.kubeletArgs()})
	if err != nil {
		return n, err
	}
	n.process, err = process.StartWith(process.How{Namespaces: namespaces}, filepath.Join(n.Logs, "node.log"), filepath.Join(o.Programs, programs.Node), string(text))
	if err != nil {
		return n, err
	}
	for _, address := range []string{c.Address(), net.JoinHostPort(controlplane.ServiceIP, "443")} {
		if err := n.forward(address, c.Address()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// File returns the path on this machine of a file of the node.
func (n *Node) File(path string) string { return fmt.Sprintf("/proc/%d/root%s", n.process.Pid(), path) }

// Ready waits until the kubelet has said that the node is ready.
func (n *Node) Ready(ctx context.Context, c *controlplane.ControlPlane) error {
	return n.process.Until(ctx, func(ctx context.Context) error {
		node, err := c.Client.CoreV1().Nodes().Get(ctx, n.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue && len(node.Spec.Taints) == 0 {
				return nil
			}
		}
		return fmt.Errorf("node %s has the conditions %+v and the taints %+v", n.Name, node.Status.Conditions, node.Spec.Taints)
	})
}

// Stop ends everything that runs on the node, and removes its control groups. Its files stay.
func (n *Node) Stop() error {
	var errs []error
	for _, l := range n.listeners {
		errs = append(errs, l.Close())
	}
	if n.process != nil {
		errs = append(errs, n.process.Kill())
	}
	return errors.Join(append(errs, removeCgroups(n.cgroup))...)
}
