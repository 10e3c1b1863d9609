// Package programs builds the programs of a Kubernetes control plane once, outside the source tree, and caches them.
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
)

// The names of the programs in Dir. APIServer135 is the API server of Kubernetes 1.35; everything else is of 1.36.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	APIServer135      = "kube-apiserver-1.35"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kubectl           = "kubectl"
)

// program is one main package: module is relative to tests/cluster, version is the version that the program reports.
type program struct{ name, module, pkg, version string }

// all is in the order of building: the most shared code first.
var all = []program{
	{APIServer, ".", "./cmd/kube-apiserver", "v1.36.3"},
	{Etcd, ".", "./cmd/etcd", ""},
	{Kubectl, ".", "./cmd/kubectl", "v1.36.3"},
	{Scheduler, ".", "./cmd/kube-scheduler", "v1.36.3"},
	{ControllerManager, ".", "./cmd/kube-controller-manager", "v1.36.3"},
	{APIServer135, "v135", "./cmd/kube-apiserver", "v1.35.4"},
}

// Build builds the missing programs for the module at root (tests/cluster) and returns their directory. It reports its
// progress to log. A second call builds nothing.
func Build(ctx context.Context, root string, log io.Writer) (string, error) {
	dir, err := Dir(root)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, p := range all {
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
	half := filepath.Join(dir, fmt.Sprintf("%s.half.%d", p.name, os.Getpid())) // others may build as well
	defer os.Remove(half)                                                      // it is gone when all went well
	flags := "-s -w"
	if p.version != "" {
		flags += " -X k8s.io/component-base/version.gitVersion=" + p.version
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", flags, "-o", half, p.pkg)
	cmd.Dir = filepath.Join(root, p.module)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		return err
	}
	return os.Rename(half, filepath.Join(dir, p.name))
}

// Dir is the cache directory for the current content of the module: another go.mod or main gives another directory.
func Dir(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), runtime.GOOS, runtime.GOARCH, all)
	for _, pattern := range []string{"go.mod", "cmd/*kube*/main.go", "cmd/etcd/main.go", "v135/go.mod", "v135/cmd/*/main.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			return "", errors.Join(err, fmt.Errorf("%s has no %s", root, pattern))
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(filepath.Dir(file)), len(text), text)
		}
	}
	return filepath.Join(cache, "berth", "cluster", hex.EncodeToString(sum.Sum(nil))[:16]), nil
}

// Built is Dir if everything is built, and otherwise an error that explains how to build it.
func Built(root string) (string, error) {
	dir, err := Dir(root)
	if err != nil {
		return "", err
	}
	for _, p := range all {
		if _, err := os.Stat(filepath.Join(dir, p.name)); err != nil {
			return "", fmt.Errorf("%s is not built; run `go run ./cmd/cluster build` in tests/cluster", p.name)
		}
	}
	return dir, nil
}
