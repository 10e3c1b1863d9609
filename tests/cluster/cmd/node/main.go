// Command node is the first process of a node that runs on this machine, in new mount, process, network, IPC, and UTS namespaces,
// which package node creates. It starts containerd, imports images, and starts the kubelet. It ends when one of the two
// ends, and with it all processes, mounts, and network devices of the node.
//
// Usage: node CONFIG, where CONFIG is the JSON of node.Machine.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"berth.dev/berth/tests/cluster/internal/node/machine"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		os.Exit(1)
	}
}

func run() error {
	if os.Getpid() != 1 || len(os.Args) != 2 {
		return errors.New("is the first process of a node, and not for use elsewhere")
	}
	var m machine.Machine
	if err := json.Unmarshal([]byte(os.Args[1]), &m); err != nil {
		return err
	}
	if err := errors.Join(mount(m), unix.Sethostname([]byte(m.Name)), addresses(m.Addresses)); err != nil {
		return err
	}
	containerd, err := start("containerd", "containerd", "--config", "/etc/containerd/config.toml")
	if err != nil {
		return err
	}
	if err := answers(machine.Socket); err != nil {
		return err
	}
	if err := importImages(containerd); err != nil {
		return err
	}
	kubelet, err := start("kubelet", m.Kubelet, m.KubeletArgs...)
	if err != nil {
		return err
	}
	return ended(reap(containerd, kubelet))
}

// addresses gives the node's loopback device these addresses. The only other network devices of the node are those of its pods.
func addresses(all []string) error {
	if out, err := exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Errorf("ip link set lo up: %w: %s", err, out)
	}
	for _, address := range all {
		if out, err := exec.Command("ip", "address", "add", address, "dev", "lo").CombinedOutput(); err != nil {
			return fmt.Errorf("ip address add %s: %w: %s", address, err, out)
		}
	}
	return nil
}

// answers waits until a server listens on the socket.
func answers(socket string) error {
	for until := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(until) {
			return err
		}
	}
}

func importImages(containerd process) error {
	images, err := filepath.Glob(filepath.Join(machine.Images, "*.tar"))
	if err != nil {
		return err
	}
	for _, image := range images {
		ctr, err := start("images", "ctr", "--address", machine.Socket, "--namespace", "k8s.io", "images", "import", image)
		if err != nil {
			return err
		}
		if first, status := reap(containerd, ctr); first != ctr || status.ExitStatus() != 0 {
			return fmt.Errorf("%s: %w", image, ended(first, status))
		}
	}
	return nil
}
