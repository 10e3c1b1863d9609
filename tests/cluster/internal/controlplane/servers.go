package controlplane

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

func (c *ControlPlane) run(name, program string, args ...string) (*process.Process, error) {
	return process.Start(filepath.Join(c.Dir, name+".log"), filepath.Join(c.options.Programs, program), args...)
}

func (c *ControlPlane) startEtcd(ctx context.Context, clients, peers int) error {
	c.Etcd = fmt.Sprintf("http://127.0.0.1:%d", clients)
	peer := fmt.Sprintf("http://127.0.0.1:%d", peers)
	var err error
	c.etcd, err = c.run("etcd", programs.Etcd, "--name=test", "--data-dir="+filepath.Join(c.Dir, "etcd"),
		"--listen-client-urls="+c.Etcd, "--advertise-client-urls="+c.Etcd,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=test="+peer,
		"--unsafe-no-fsync", "--log-level=warn", "--quota-backend-bytes=8000000000")
	if err != nil {
		return err
	}
	return ready(ctx, c.etcd, func(ctx context.Context) error { return get(ctx, http.DefaultClient, c.Etcd+"/readyz") })
}

// RestartAPIServer starts the API server again after KillAPIServer, on the same port, and returns when it is ready. It
// restarts the controller manager too: the old one would watch some kinds again only after a minute (client-go's
// backoff of up to 30 s with jitter), and later tests would have to wait.
func (c *ControlPlane) RestartAPIServer(ctx context.Context) error {
	if err := c.startAPIServer(ctx); err != nil || c.controller == nil {
		return err
	}
	if err := c.controller.Kill(); err != nil {
		return err
	}
	return c.startControllerManager(ctx)
}

func (c *ControlPlane) startAPIServer(ctx context.Context) error {
	args := []string{
		"--etcd-servers=" + c.Etcd,
		// Package history reads every revision from etcd.
		"--etcd-compaction-interval=0",
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port=" + strconv.Itoa(c.port),
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
		"--cert-dir=" + c.Dir, "--tls-cert-file=" + c.pki.path("server.crt"), "--tls-private-key-file=" + c.pki.path("server.key"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + c.pki.path("sa.key"),
		"--service-account-signing-key-file=" + c.pki.path("sa.key"),
		"--token-auth-file=" + c.pki.path("tokens.csv"),
		"--client-ca-file=" + c.pki.path("client-ca.crt"),
		// Tests on two cores send more concurrent requests than fairness between clients allows.
		"--enable-priority-and-fairness=false", "--max-requests-inflight=0", "--max-mutating-requests-inflight=0",
		"--shutdown-delay-duration=0s",
	}
	var err error
	c.api, err = c.run("kube-apiserver", c.options.APIServer, slices.Concat(args, c.admission(), c.kubeletAccess(), c.options.APIServerFlags)...)
	if err != nil {
		return err
	}
	return ready(ctx, c.api, func(ctx context.Context) error {
		return c.Client.CoreV1().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
}

// admission returns the API server's flags for authorization and admission.
func (c *ControlPlane) admission() []string {
	if len(c.options.Nodes) > 0 {
		return []string{"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--allow-privileged"}
	}
	// The nodes are simulated: nothing creates tokens for pods, removes a new node's not-ready taint, or removes the
	// protection of claims and volumes.
	return []string{"--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection"}
}

// KillAPIServer kills the API server with SIGKILL; etcd and the controller manager continue.
func (c *ControlPlane) KillAPIServer() error { return c.api.Kill() }

// APIServer is the current process of the API server.
func (c *ControlPlane) APIServer() *process.Process { return c.api }

func (c *ControlPlane) startControllerManager(ctx context.Context) error {
	ports, err := FreePorts(1)
	if err != nil {
		return err
	}
	c.controller, err = c.run("kube-controller-manager", programs.ControllerManager, "--kubeconfig="+c.AdminFile,
		"--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port="+strconv.Itoa(ports[0]),
		"--cert-dir="+c.Dir, "--service-account-private-key-file="+c.pki.path("sa.key"),
		"--root-ca-file="+c.pki.path("ca.crt"), "--controllers="+c.controllers(),
		// Objects of earlier tests do not delay those of the next test.
		"--kube-api-qps=500", "--kube-api-burst=500")
	if err != nil {
		return err
	}
	health := fmt.Sprintf("https://127.0.0.1:%d/healthz", ports[0])
	return ready(ctx, c.controller, func(ctx context.Context) error { return get(ctx, process.Trusting, health) })
}

// controllers are those that create pods, count for PodDisruptionBudgets, and bind volumes and claims, and, for real nodes, those
// that kubelets and containers need; others would only use CPU.
func (c *ControlPlane) controllers() string {
	names := "deployment-controller,replicaset-controller,statefulset-controller,job-controller,garbage-collector-controller," +
		"disruption-controller,persistentvolume-binder-controller"
	if len(c.options.Nodes) > 0 {
		names += ",serviceaccount-controller,root-ca-certificate-publisher-controller,node-lifecycle-controller," +
			"taint-eviction-controller,namespace-controller,pod-garbage-collector-controller"
	}
	return names
}

func ready(ctx context.Context, p *process.Process, ask func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, startTimeout)
	defer stop()
	return p.Until(ctx, ask)
}

func get(ctx context.Context, client *http.Client, url string) error {
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	return process.Get(ctx, client, url)
}
