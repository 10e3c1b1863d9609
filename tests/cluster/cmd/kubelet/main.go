//go:build kubelet

// Command kubelet is Kubernetes' own, built from its module so that tests need no download of binaries. It is under a tag, because
// only the tests on real nodes need it: `go vet ./...` would compile all of it.
package main

import (
	"context"
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kubelet/app"
)

func main() { os.Exit(cli.Run(app.NewKubeletCommand(context.Background()))) }
