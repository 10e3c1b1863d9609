package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/await"
	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/history"
)

// world is one test's part of a control plane: a namespace, nodes, and a schedulerName that equals the namespace's
// name.
type world struct {
	t       *testing.T
	ctx     context.Context
	plane   *controlplane.ControlPlane
	kind    daemon.Kind // of the schedulers that start and launch run
	client  kubernetes.Interface
	ns      string
	dir     string // for configurations and logs
	since   int64  // etcd's revision before the test
	daemons int
}

// newWorld is a world on the shared control plane; patience limits the duration of the test.
func newWorld(t *testing.T, patience time.Duration) *world {
	t.Helper()
	return newWorldOn(t, plane, patience)
}

func newWorldOn(t *testing.T, c *controlplane.ControlPlane, patience time.Duration) *world {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	ns := namespaceOf(t)
	w := &world{t: t, ctx: ctx, plane: c, kind: kind, client: c.Client, ns: ns, dir: filepath.Join(logs, ns)}
	w.must(os.MkdirAll(w.dir, 0o755))
	var err error
	w.since, err = history.Now(ctx, c.Etcd)
	w.must(err)
	_, err = w.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{})
	w.must(err)
	t.Cleanup(w.clean)
	return w
}

// namespaceOf returns a-pod-is-bound for TestAPodIsBound, short enough for the suffixes -0 and -kube.
func namespaceOf(t *testing.T) string {
	name := regexp.MustCompile(`[A-Z]`).ReplaceAllString(strings.TrimPrefix(t.Name(), "Test"), "-$0")
	name = regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(name[:min(len(name), 50)], "-")
}

// clean deletes the test's pods and all nodes. It runs after the daemons have ended, with its own time limit.
func (w *world) clean() {
	if w.t.Failed() {
		w.t.Logf("logs of this test: %s", w.dir)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	var now int64
	atOnce := metav1.DeleteOptions{GracePeriodSeconds: &now}
	_, _ = w.plane.Kubectl(ctx, "delete", "-n", w.ns, "deployments,jobs", "--all", "--wait=false")
	err := w.client.CoreV1().Nodes().DeleteCollection(ctx, atOnce, metav1.ListOptions{})
	if err != nil {
		w.t.Errorf("cannot delete the test's nodes: %v", err)
	}
	for ctx.Err() == nil {
		if err := w.client.CoreV1().Pods(w.ns).DeleteCollection(ctx, atOnce, metav1.ListOptions{}); err != nil {
			w.t.Errorf("cannot delete the test's pods: %v", err)
		}
		if pods, err := w.client.CoreV1().Pods(w.ns).List(ctx, metav1.ListOptions{}); err == nil && len(pods.Items) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.t.Errorf("the test's pods do not go")
}

func (w *world) must(err error) {
	w.t.Helper()
	await.Must(w.t, err)
}

// eventually calls ask until it returns nil, and fails the test with its last error after patience.
func (w *world) eventually(patience time.Duration, ask func() error) {
	w.t.Helper()
	await.Until(w.ctx, w.t, patience, ask)
}

// start runs the tested scheduler with this configuration until the end of the test, and returns when it is ready.
func (w *world) start(config string, change ...func(*daemon.Options)) *daemon.Daemon {
	w.t.Helper()
	d := w.launch(config, change...)
	w.ready(d, 30*time.Second)
	return d
}

// launch is start without waiting.
func (w *world) launch(config string, change ...func(*daemon.Options)) *daemon.Daemon {
	w.t.Helper()
	o := daemon.Options{Kind: w.kind, Config: config, Extra: []string{"-v=4"}}
	for _, f := range change {
		f(&o)
	}
	w.daemons++
	o.Programs, o.Root, o.Dir = programsDir, root, w.dir
	o.Name = fmt.Sprintf("%s-%d", o.Kind, w.daemons)
	d, err := daemon.Launch(w.plane, o)
	w.must(err)
	w.t.Cleanup(func() { w.must(d.Kill()) })
	return d
}

func (w *world) ready(d *daemon.Daemon, patience time.Duration) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	w.must(d.Until(ctx, d.Ready))
}

// profile is a configuration with `top`, and one profile with the world's schedulerName.
func (w *world) profile(top ...string) string {
	return configHead + strings.Join(top, "\n") + "\nprofiles:\n- schedulerName: " + w.ns + "\n"
}

const configHead = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

// withoutPreemption is appended to profile(): messages of both schedulers then contain only why a pod is unschedulable.
const withoutPreemption = "  plugins: {postFilter: {disabled: [{name: '*'}]}}\n"

// fast raises the client's rate limit for tests that are not about the limit.
const fast = "clientConnection: {qps: 1000, burst: 1000}"

func (w *world) node(name string, change ...func(*fakelet.NodeSpec)) {
	w.t.Helper()
	spec := fakelet.NodeSpec{Name: name}
	for _, f := range change {
		f(&spec)
	}
	w.must(fakelet.AddNode(w.ctx, w.client, spec))
}

// nodes makes nodes named prefix-0 and so on.
func (w *world) nodes(prefix string, n int, change ...func(*fakelet.NodeSpec)) {
	w.t.Helper()
	for i := range n {
		w.node(fmt.Sprintf("%s-%d", prefix, i), change...)
	}
}

// onlyBerth skips a test of a function that kube-scheduler does not have.
func onlyBerth(t *testing.T, what string) {
	t.Helper()
	if kind != daemon.Berth {
		t.Skip("kube-scheduler has no " + what)
	}
}
