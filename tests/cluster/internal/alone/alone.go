// Package alone creates a control plane for one program, with the scheduler's permissions, a namespace, and fakelet for
// the nodes.
package alone

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// heartbeat is the interval between two heartbeats of a node.
const heartbeat = time.Minute

// Finding is the result of a trial; it tells whether the trial passed.
type Finding interface {
	Print(io.Writer)
	OK() bool
}

// Run creates a control plane like Start, lets `measure` use it, prints its finding, and stops the control plane. The
// caller runs in tests/cluster; root is the top of the source tree.
func Run(ctx context.Context, dir, namespace string, measure func(root string, plane *controlplane.ControlPlane) (Finding, error)) (bool, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return false, err
	}
	plane, err := Start(ctx, dir, root, namespace)
	if err != nil {
		return false, err
	}
	defer func() { _ = plane.Stop() }()
	found, err := measure(root, plane)
	if err != nil {
		return false, err
	}
	found.Print(os.Stdout)
	return found.OK(), nil
}

// Start empties dir, which is for data and logs, and starts a control plane there. root is the top of the source tree.
// fakelet runs until ctx ends. The caller runs in tests/cluster and stops the control plane.
func Start(ctx context.Context, dir, root, namespace string) (*controlplane.ControlPlane, error) {
	built, err := programs.ControlPlane.Built(".")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755), process.Quiet(filepath.Join(dir, "client-go.log"))); err != nil {
		return nil, err
	}
	plane, err := controlplane.Start(ctx, controlplane.Options{Programs: built, Dir: dir})
	if err != nil {
		return nil, err
	}
	if err := furnish(ctx, plane, root, namespace); err != nil {
		return nil, errors.Join(err, plane.Stop())
	}
	return plane, nil
}

func furnish(ctx context.Context, plane *controlplane.ControlPlane, root, namespace string) error {
	if _, err := plane.Kubectl(ctx, "apply", "-f", filepath.Join(root, "manifests/rbac.yaml")); err != nil {
		return err
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := plane.Client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
		return err
	}
	return fakelet.Start(ctx, plane.Client, heartbeat)
}
