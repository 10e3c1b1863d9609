// Package controlplane runs a real Kubernetes control plane on loopback: etcd, kube-apiserver with TLS and RBAC, and
// optionally kube-controller-manager. It has no nodes: package fakelet simulates them, or package node runs them.
package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// Options say what to start.
type Options struct {
	Programs          string // directory of package programs
	Dir               string // for data, keys and logs; has to exist
	APIServer         string // the API server's program; "": programs.APIServer
	APIServerFlags    []string
	ControllerManager bool
	// Names of the nodes whose kubelets are real. The API server and the controller manager then do what they do in production:
	// every admission, the node authorizer, service accounts, taints. Needs ControllerManager.
	Nodes []string
	// The Unix socket of an HTTP proxy to the kubelets of the nodes: for `kubectl port-forward`. "": the API server reaches none.
	Kubelets string
}

// ControlPlane is a running control plane. One goroutine may use its methods; Client is for any.
type ControlPlane struct {
	Dir        string
	URL        string // of the API server; does not change when it restarts
	Etcd       string // etcd's address for clients, plain HTTP
	AdminFile  string // kubeconfig of Admin
	AdminREST  *rest.Config
	Client     kubernetes.Interface // as Admin, without a rate limit
	options    Options
	pki        pki
	clients    *clientCA
	tokens     map[Identity]string
	port       int
	etcd       *process.Process
	api        *process.Process
	controller *process.Process
}

// startTimeout is how long one program may take to become ready on a busy machine with two cores.
const startTimeout = 90 * time.Second

// Start returns when etcd and the API server are ready. It stops a control plane that does not start.
func Start(ctx context.Context, o Options) (*ControlPlane, error) {
	if o.APIServer == "" {
		o.APIServer = programs.APIServer
	}
	c := &ControlPlane{Dir: o.Dir, options: o}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) start(ctx context.Context) error {
	var err error
	if c.pki, err = newPKI(c.Dir); err != nil {
		return err
	}
	if c.clients, err = newClientCA(); err != nil {
		return err
	}
	if err := c.clients.write(c.pki.path("client-ca.crt")); err != nil {
		return err
	}
	if err := c.writeKubeletAccess(); err != nil {
		return err
	}
	if c.tokens, err = writeTokens(c.pki.path("tokens.csv"), c.options.Nodes); err != nil {
		return err
	}
	ports, err := FreePorts(3)
	if err != nil {
		return err
	}
	c.port, c.URL = ports[2], fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	if err := c.connect(); err != nil {
		return err
	}
	if err := c.startEtcd(ctx, ports[0], ports[1]); err != nil {
		return err
	}
	if err := c.startAPIServer(ctx); err != nil {
		return err
	}
	if c.options.ControllerManager {
		return c.startControllerManager(ctx)
	}
	return nil
}

// connect creates Client; nothing needs to run yet.
func (c *ControlPlane) connect() error {
	var err error
	if c.AdminFile, err = c.Kubeconfig("admin", Admin, ""); err != nil {
		return err
	}
	if c.AdminREST, err = clientcmd.BuildConfigFromFlags("", c.AdminFile); err != nil {
		return err
	}
	c.AdminREST.QPS = -1
	c.AdminREST.ContentType = "application/vnd.kubernetes.protobuf"
	c.Client, err = kubernetes.NewForConfig(c.AdminREST)
	return err
}

// ServiceIP is the address of the API server for pods: kubelets pass it to containers in KUBERNETES_SERVICE_HOST, with port 443.
// The server's certificate is valid for it.
const ServiceIP = "10.0.0.1"

// Address is the host and port of the API server.
func (c *ControlPlane) Address() string { return strings.TrimPrefix(c.URL, "https://") }

// Certificate is the server certificate for 127.0.0.1 and its key, as files.
func (c *ControlPlane) Certificate() (certificate, key string) {
	return c.pki.path("server.crt"), c.pki.path("server.key")
}

// CA is the certificate that all programs here trust, PEM.
func (c *ControlPlane) CA() []byte { return c.pki.ca }

// KubectlProgram is the path of kubectl.
func (c *ControlPlane) KubectlProgram() string {
	return filepath.Join(c.options.Programs, programs.Kubectl)
}

// Kubectl runs kubectl as Admin and returns its standard output; the error contains its error output.
func (c *ControlPlane) Kubectl(ctx context.Context, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	args = append([]string{"--kubeconfig", c.AdminFile, "--cache-dir", filepath.Join(c.Dir, "kubectl-cache")}, args...)
	cmd := exec.CommandContext(ctx, c.KubectlProgram(), args...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("kubectl %v: %w: %s", args[4:], err, exit.Stderr)
	}
	return string(out), err
}

// Stop ends all programs that were started.
func (c *ControlPlane) Stop() error {
	var errs []error
	for _, p := range []*process.Process{c.controller, c.api, c.etcd} {
		if p != nil {
			// No data is kept, so no program needs a graceful shutdown.
			errs = append(errs, p.Kill())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(filepath.Join(c.Dir, "etcd")))...)
}

// FreePorts returns loopback ports that are free now.
func FreePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // at the end, so that all are different
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
