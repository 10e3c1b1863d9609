// Package cluster tests a scheduler's program against a real Kubernetes control plane; README.md says how to run it.
package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/logdir"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// Shared by all tests. Tests run one after the other; each removes its nodes and pods.
var (
	plane       *controlplane.ControlPlane
	kind        daemon.Kind
	programsDir string
	logs        string // directory of all logs; kept if a test fails
	root        string // top of the source tree
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster tests:", err)
		code = 1
	}
	if code != 0 && logs != "" {
		fmt.Fprintln(os.Stderr, "cluster tests: the logs are in", logs)
	} else if code == 0 {
		_ = os.RemoveAll(logs)
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	var err error
	if kind, err = daemon.UnderTest(); err != nil {
		return 0, err
	}
	if programsDir, err = programs.ControlPlane.Built("."); err != nil {
		return 0, err
	}
	if root, err = filepath.Abs("../.."); err != nil {
		return 0, err
	}
	if logs, err = logdir.New("berth-cluster-"); err != nil {
		return 0, err
	}
	if err := process.Quiet(filepath.Join(logs, "tests.log")); err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if plane, err = startPlane(ctx, "control-plane", controlplane.Options{ControllerManager: true}); err != nil {
		return 0, err
	}
	defer func() { _ = plane.Stop() }()
	return m.Run(), nil
}

// anotherPlane starts a control plane for one test only. It runs until the test and its worlds have ended.
func anotherPlane(t *testing.T, name string, o controlplane.Options) *controlplane.ControlPlane {
	t.Helper()
	c, err := startPlane(t.Context(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// startPlane starts a control plane with its own directory below logs, fakelet, and the permissions in the manifests.
func startPlane(ctx context.Context, name string, o controlplane.Options) (*controlplane.ControlPlane, error) {
	o.Programs, o.Dir = programsDir, filepath.Join(logs, name)
	if err := os.Mkdir(o.Dir, 0o755); err != nil {
		return nil, err
	}
	c, err := controlplane.Start(ctx, o)
	if err != nil {
		return nil, err
	}
	rbac := filepath.Join(root, "manifests/rbac.yaml")
	if _, err := c.Kubectl(ctx, "apply", "-f", rbac); err != nil {
		_ = c.Stop()
		return nil, err
	}
	return c, fakelet.Start(ctx, c.Client, 10*time.Second)
}
