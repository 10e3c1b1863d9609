// Package programs builds the programs of a Kubernetes control plane, and of nodes, once, outside the source tree, and caches them.
package programs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// The names of the programs in their set's directory. APIServer135 is the API server of Kubernetes 1.35; everything else of
// Kubernetes is of 1.36. Node is the first process of a node, and Pause waits for a signal.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	APIServer135      = "kube-apiserver-1.35"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kubectl           = "kubectl"
	Kubelet           = "kubelet"
	Node              = "node"
	Pause             = "pause"
)

// program is one main package: module is relative to tests/cluster, version is the version that the program reports.
type program struct{ name, module, pkg, version string }

// Set contains programs that are built together, without those of other sets.
type Set struct {
	name     string    // of its folder in the cache
	programs []program // in the order of building: the most shared code first
	sources  []string  // patterns of files: a change of their content changes the directory
}

// ControlPlane is what package controlplane runs.
var ControlPlane = Set{"cluster", []program{
	{APIServer, ".", "./cmd/kube-apiserver", "v1.36.3"},
	{Etcd, ".", "./cmd/etcd", ""},
	{Kubectl, ".", "./cmd/kubectl", "v1.36.3"},
	{Scheduler, ".", "./cmd/kube-scheduler", "v1.36.3"},
	{ControllerManager, ".", "./cmd/kube-controller-manager", "v1.36.3"},
	{APIServer135, "v135", "./cmd/kube-apiserver", "v1.35.4"},
}, []string{"go.mod", "cmd/kube-*/main.go", "cmd/kubectl/main.go", "cmd/etcd/main.go", "v135/go.mod", "v135/cmd/*/main.go"}}

// RealNodes is what package node runs.
var RealNodes = Set{"nodes", []program{
	{Kubelet, ".", "./cmd/kubelet", "v1.36.3"},
	{Node, ".", "./cmd/node", ""},
	{Pause, ".", "./cmd/pause", ""},
}, []string{"go.mod", "cmd/kubelet/*.go", "cmd/node/*.go", "cmd/pause/*.go", "internal/node/machine/*.go"}}

// Sets are all sets, by name.
var Sets = map[string]Set{ControlPlane.name: ControlPlane, RealNodes.name: RealNodes}

// Build builds the missing programs of the set for the module at root (tests/cluster) and returns their directory. It
// reports its progress to log. A second call builds nothing.
func (s Set) Build(ctx context.Context, root string, log io.Writer) (string, error) {
	dir, err := s.dir(root)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, p := range s.programs {
		if _, err := os.Stat(filepath.Join(dir, p.name)); err == nil {
			continue
		}
		fmt.Fprintf(log, "cluster: builds %s\n", p.name)
		if err := p.build(ctx, root, dir, log); err != nil {
			return "", fmt.Errorf("cannot build %s: %w", p.name, err)
		}
	}
	return dir, nil
}

// build gives the program its name only when it is complete, so that an interrupted build is repeated.
func (p program) build(ctx context.Context, root, dir string, log io.Writer) error {
	half := filepath.Join(dir, fmt.Sprintf("%s.half.%d", p.name, os.Getpid())) // other processes may build at the same time
	defer os.Remove(half)                                                      // it no longer exists after a successful build
	flags := "-s -w"
	if p.version != "" {
		flags += " -X k8s.io/component-base/version.gitVersion=" + p.version
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-tags=kubelet", "-ldflags", flags, "-o", half, p.pkg)
	cmd.Dir = filepath.Join(root, p.module)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		return err
	}
	return os.Rename(half, filepath.Join(dir, p.name))
}

// dir is the cache directory for the current content of the module: another go.mod or main gives another directory.
func (s Set) dir(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), runtime.GOOS, runtime.GOARCH, s.programs)
	for _, pattern := range s.sources {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			return "", errors.Join(err, fmt.Errorf("%s has no %s", root, pattern))
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fromRoot, err := filepath.Rel(root, file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(filepath.Dir(fromRoot)), len(text), text)
		}
	}
	return filepath.Join(cache, "berth", s.name, hex.EncodeToString(sum.Sum(nil))[:16]), nil
}

// Built returns the directory of the set's programs if those with these names (without names: all) are built, and otherwise an
// error that explains how to build them.
func (s Set) Built(root string, names ...string) (string, error) {
	dir, err := s.dir(root)
	if err != nil {
		return "", err
	}
	for _, p := range s.programs {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, p.name)); err != nil {
			return "", fmt.Errorf("%s is not built; run `go run ./cmd/cluster build %s` in tests/cluster", p.name, s.name)
		}
	}
	return dir, nil
}
