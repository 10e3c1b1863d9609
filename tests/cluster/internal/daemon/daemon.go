// Package daemon runs the tested scheduler: Berth's, or kube-scheduler to test the tests.
package daemon

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/programs"
)

// Kind is which scheduler to run.
type Kind string

const (
	Berth Kind = "berth"
	Kube  Kind = "kube-scheduler"
)

// UnderTest is the kind in SCHEDULER_UNDER_TEST; Berth if it is not set.
func UnderTest() (Kind, error) {
	switch kind := Kind(os.Getenv("SCHEDULER_UNDER_TEST")); kind {
	case "":
		return Berth, nil
	case Berth, Kube:
		return kind, nil
	default:
		return "", fmt.Errorf("SCHEDULER_UNDER_TEST=%s is neither %s nor %s", kind, Berth, Kube)
	}
}

// Options say what to run and how.
type Options struct {
	Kind     Kind
	Programs string                // directory of package programs, which contains kube-scheduler
	Root     string                // top of the source tree, where Berth is built
	Dir      string                // for configuration, kubeconfig, and log; must exist
	Name     string                // of those files
	Config   string                // YAML; clientConnection.kubeconfig is set automatically
	Verbatim []byte                // in place of Config: the file as it is, with its own clientConnection.kubeconfig
	Identity controlplane.Identity // the kind's own when empty
	URL      string                // of the API server; "": the control plane's own
	Binary   string                // Berth's program; "": BERTH_SCHEDULER, or the preset dev
	Plugins  string                // directory of Berth's plugins; likewise
	Extra    []string
	Address  string // of the secure port; "": 127.0.0.1
	// Beside the variables of this process.
	Environment []string
	// The configuration says whether there is leader election; otherwise there is none.
	LeaderElect bool
	// The configuration has the layout of a ConfigMap volume, in the directory Dir/Name.d.
	ConfigMap bool
}

// Daemon is a running scheduler.
type Daemon struct {
	*process.Process
	URL    string // of its health and metrics: without authentication if it is Berth
	Secure string // the same, with TLS and authentication
	Config string // file of its configuration

	kubeconfig string
	volume     string // directory of links, with Options.ConfigMap
	versions   int    // file names that volume has contained
}

// Ready is nil when /readyz answers 200.
func (d *Daemon) Ready(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	return process.Get(ctx, process.Trusting, d.URL+"/readyz")
}

// Identity is Berth's holderIdentity in the Lease of leader election; "" before it has logged that (-v=1).
func (d *Daemon) Identity() string {
	text, _ := os.ReadFile(d.Log())
	if found := identity.FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

var identity = regexp.MustCompile(`"Leader election" .*identity="([^"]+)"`)

// Launch starts the scheduler and does not wait until it is ready.
func Launch(c *controlplane.ControlPlane, o Options) (*Daemon, error) {
	kubeconfig, err := c.Kubeconfig(o.Name, o.identity(), o.URL)
	if err != nil {
		return nil, err
	}
	d := &Daemon{Config: filepath.Join(o.Dir, o.Name+".yaml"), kubeconfig: kubeconfig}
	if o.ConfigMap {
		d.volume = filepath.Join(o.Dir, o.Name+".d")
		d.Config = filepath.Join(d.volume, o.Name+".yaml")
	}
	if err := d.begin(o); err != nil {
		return nil, err
	}
	ports, err := controlplane.FreePorts(2)
	if err != nil {
		return nil, err
	}
	host := first(o.Address, "127.0.0.1")
	args := append([]string{"--config=" + d.Config, "--bind-address=" + host, "--secure-port=" + strconv.Itoa(ports[0])}, o.Extra...)
	if !o.LeaderElect {
		args = append(args, "--leader-elect=false")
	}
	d.Secure = fmt.Sprintf("https://%s:%d", host, ports[0])
	path := ""
	if o.Kind == Kube {
		path = filepath.Join(o.Programs, programs.Scheduler)
		d.URL = d.Secure
	} else {
		path = first(o.Binary, os.Getenv("BERTH_SCHEDULER"), filepath.Join(o.Root, "build/dev/bin/berth-scheduler"))
		address := fmt.Sprintf("127.0.0.1:%d", ports[1])
		d.URL = "http://" + address
		args = append(args, "--admin-address="+address, "--plugin-dir="+first(o.Plugins, os.Getenv("BERTH_PLUGIN_DIR"), filepath.Join(o.Root, "build/dev/lib/berth/plugins")))
	}
	d.Process, err = process.StartWith(process.How{Environment: o.Environment}, filepath.Join(o.Dir, o.Name+".log"), path, args...)
	return d, err
}

func (o *Options) identity() controlplane.Identity {
	switch {
	case o.Identity != "":
		return o.Identity
	case o.Kind == Kube:
		return controlplane.KubeScheduler
	default:
		return controlplane.BerthScheduler
	}
}

func first(values ...string) string {
	return values[slices.IndexFunc(values, func(value string) bool { return value != "" })]
}
