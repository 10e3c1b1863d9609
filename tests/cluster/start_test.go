package cluster

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

func as(who controlplane.Identity) func(*daemon.Options) {
	return func(o *daemon.Options) { o.Identity = who }
}

// says waits until the log has a line that matches.
func (w *world) says(d *daemon.Daemon, pattern string, patience time.Duration) {
	w.t.Helper()
	w.eventually(patience, func() error { return missesLine(d, pattern) })
}

// missesLine is nil if the log has a line that matches.
func missesLine(d *daemon.Daemon, pattern string) error {
	text, err := os.ReadFile(d.Log())
	if err == nil && !regexp.MustCompile("(?m)"+pattern).Match(text) {
		err = fmt.Errorf("%s has no line that matches %s; it ends with\n%s", d.Log(), pattern, d.Tail(5))
	}
	return err
}

// Without permissions a scheduler waits, is not ready, and after ten seconds reports what is missing. With the
// permissions it continues.
func TestAMissingRightIsNamedAndWaitedFor(t *testing.T) {
	onlyBerth(t, "such message")
	w := newWorld(t, 2*time.Minute)
	w.node("node")
	w.pod("pod")
	d := w.launch(w.profile(), as(controlplane.Nobody))
	w.says(d, `^E.*(list|watch).*\bnodes\b|^E.*\bnodes\b.*(list|watch)`, 30*time.Second)
	w.says(d, `^E.*(list|watch).*\bpods\b|^E.*\bpods\b.*(list|watch)`, 30*time.Second)
	if err := d.Ready(w.ctx); err == nil {
		t.Error("it is ready without having read a single node or pod")
	}
	w.kubectl("create", "clusterrolebinding", w.ns, "--clusterrole=berth-scheduler", "--user="+string(controlplane.Nobody))
	defer w.kubectl("delete", "clusterrolebinding", w.ns)
	w.ready(d, 40*time.Second)
	w.bound("pod", 10*time.Second)
	w.prove()
}

func TestTheSchedulerStartsBeforeTheAPIServer(t *testing.T) {
	onlyBerth(t, "patience with an API server that is not there yet: it ends")
	w := newWorld(t, 2*time.Minute)
	w.node("node")
	w.pod("pod")
	w.must(w.plane.KillAPIServer())
	d := w.launch(w.profile())
	time.Sleep(2 * time.Second)
	if err := d.Ready(w.ctx); err == nil {
		t.Error("it is ready without an API server")
	}
	w.must(w.plane.RestartAPIServer(w.ctx))
	w.ready(d, 30*time.Second)
	w.bound("pod", 10*time.Second)
	w.prove()
}

func TestNoTokenIsLogged(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node")
	d := w.start(w.profile(), func(o *daemon.Options) { o.Extra = []string{"-v=10"} })
	w.pod("pod")
	w.pod("stuck", cpu("100"))
	w.event(w.bound("pod", 10*time.Second), "Scheduled")
	w.unschedulable("stuck", 10*time.Second)
	text, err := os.ReadFile(d.Log())
	w.must(err)
	for _, who := range []controlplane.Identity{controlplane.BerthScheduler, controlplane.KubeScheduler} {
		if strings.Contains(string(text), w.plane.Token(who)) {
			t.Errorf("%s holds the token of %s", d.Log(), who)
		}
	}
	if len(text) == 0 {
		t.Error("nothing is logged at all")
	}
}

func TestASignalDumpsTheState(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.node("node")
	d := w.start(w.profile())
	w.pod("there")
	w.pod("stuck", cpu("100"))
	w.bound("there", 10*time.Second)
	w.unschedulable("stuck", 10*time.Second)
	w.must(d.Signal(syscall.SIGUSR2))
	w.says(d, `^I.*Dump of cached NodeInfo`, 5*time.Second)
	w.says(d, `Node name: node\b`, 5*time.Second)
	w.says(d, `name: there, namespace: `+w.ns, 5*time.Second)
	w.says(d, `^I.*Dump of scheduling queue`, 5*time.Second)
	w.says(d, `name: stuck, namespace: `+w.ns, 5*time.Second)
	if text, err := os.ReadFile(d.Log()); err != nil || strings.Contains(string(text), "Cache mismatch") {
		t.Errorf("the scheduler's cache differs from what its watches know (%v); see %s", err, d.Log())
	}
}
