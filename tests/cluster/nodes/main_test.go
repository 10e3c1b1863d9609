// Package nodes tests Berth as it is installed: in containers, on two nodes with containerd and kubelets, on a real control
// plane. README.md of tests/cluster says how to run it.
package nodes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/logdir"
	"berth.dev/berth/tests/cluster/internal/node"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// Shared by all tests, which run one after the other.
var (
	plane    *controlplane.ControlPlane
	nodes    = map[string]*node.Node{}
	kubelets *node.Kubelets // the API server's way to them
	top      string         // of the source tree
	logs     string         // directory of all logs
)

// controlNode has the static pod, as a control plane node of kubeadm. It schedules the pods that name no scheduler, including
// those of the chart.
const (
	controlNode = "node-1"
	otherNode   = "node-2"
)

func TestMain(m *testing.M) {
	if err := wanted(); err != nil {
		fmt.Println("tests on real nodes: skipped:", err)
		os.Exit(0)
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tests on real nodes:", err)
		code = 1
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "tests on real nodes: the logs are in", logs)
	}
	os.Exit(code)
}

func wanted() error {
	if os.Getenv("BERTH_NODES") != "yes" {
		return errors.New("`scripts/test nodes` runs them, which sets BERTH_NODES=yes")
	}
	return node.Possible()
}

func run(m *testing.M) (code int, err error) {
	ctx, stop := context.WithTimeout(context.Background(), 15*time.Minute)
	defer stop()
	if top, err = filepath.Abs("../../.."); err != nil {
		return 0, err
	}
	if logs, err = logdir.New("berth-nodes-logs-"); err != nil {
		return 0, err
	}
	if err := process.Quiet(filepath.Join(logs, "tests.log")); err != nil {
		return 0, err
	}
	// For temporary files, possibly gigabytes.
	root, err := node.MakeRoot()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	defer func() { err = errors.Join(err, stopAll()) }()
	if err := startAll(ctx, root); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

func startAll(ctx context.Context, root string) error {
	began := time.Now()
	built, err := programs.ControlPlane.Built("..", programs.Etcd, programs.APIServer, programs.ControllerManager, programs.Kubectl)
	if err != nil {
		return err
	}
	set, err := programs.RealNodes.Built("..")
	if err != nil {
		return err
	}
	images := filepath.Join(root, "images")
	dir := filepath.Join(logs, "control-plane")
	if err := errors.Join(os.Mkdir(images, 0o755), os.Mkdir(dir, 0o755)); err != nil {
		return err
	}
	if err := node.MakeImages(ctx, top, "build/dev", set, root, filepath.Join(images, "berth.tar")); err != nil {
		return err
	}
	fmt.Printf("the images are made after %.1f s\n", time.Since(began).Seconds())
	names := []string{controlNode, otherNode}
	socket := filepath.Join(root, "kubelets.sock")
	if kubelets, err = node.ServeKubelets(socket); err != nil {
		return err
	}
	o := controlplane.Options{Programs: built, Dir: dir, ControllerManager: true, Nodes: names, Kubelets: socket}
	if plane, err = controlplane.Start(ctx, o); err != nil {
		return err
	}
	for i, name := range names {
		etc, err := filesOf(name)
		if err != nil {
			return err
		}
		o := node.Options{Programs: set, Name: name, Number: i + 1, Root: root, Logs: logs, Images: images}
		if nodes[name], err = node.Start(plane, o, etc); err != nil {
			return err
		}
		kubelets.Add(nodes[name])
	}
	for _, n := range nodes {
		if err := n.Ready(ctx, plane); err != nil {
			return err
		}
	}
	fmt.Printf("the nodes are ready after %.1f s\n", time.Since(began).Seconds())
	return nil
}

// filesOf is what kubeadm has in /etc of a control plane node for a scheduler, with manifests/static-pod.
func filesOf(name string) (map[string]string, error) {
	file, err := plane.Kubeconfig("scheduler", controlplane.KubeScheduler, "")
	if err != nil {
		return nil, err
	}
	kubeconfig, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	files := map[string]string{"kubernetes/scheduler.conf": string(kubeconfig)}
	if name == controlNode {
		manifest, err := os.ReadFile(filepath.Join(top, "manifests/static-pod/kube-scheduler.yaml"))
		if err != nil {
			return nil, err
		}
		files["kubernetes/manifests/kube-scheduler.yaml"] = string(manifest)
	}
	return files, nil
}

func stopAll() error {
	var errs []error
	for _, n := range nodes {
		errs = append(errs, n.Stop())
	}
	if plane != nil {
		errs = append(errs, plane.Stop())
	}
	if kubelets != nil {
		errs = append(errs, kubelets.Close())
	}
	return errors.Join(errs...)
}
