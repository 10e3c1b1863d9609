// Package endure disturbs a scheduler while pods are created: it cuts its watches for a long time, or kills it many
// times. Afterwards, etcd's history must show that each pod was bound once and that no node was ever overcommitted.
package endure

import (
	"context"
	"fmt"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/load"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// Options describe the cluster, the programs, and the load.
type Options struct {
	Plane       *controlplane.ControlPlane // fakelet simulates its nodes
	Root        string                     // top of the source tree
	Dir         string                     // for configuration and logs; has to exist
	Binary      string                     // Berth's program; "": that of the preset dev
	Plugins     string                     // directory of Berth's plugins; likewise. It must not change during the run
	TestPlugins string                     // directory of tests/cluster/plugin; only for Kills
	Namespace   string                     // has to exist; also the schedulerName
	Nodes       int                        // large ones
	Rate        int                        // pods per second
	Log         io.Writer                  // progress
}

const (
	lifetime = 5 * time.Second  // of a pod on its node
	timeout  = 90 * time.Second // until all pods have nodes at the end
)

// run is the state of one run of a disturbance.
type run struct {
	o     Options
	since int64 // etcd's revision before
	pods  *stream.Stream
	made  stream.Made // after the end of pods

	outages []history.Outage // of the API server
}

// begin creates the nodes; start creates the pods.
func begin(ctx context.Context, o Options) (*run, error) {
	since, err := history.Now(ctx, o.Plane.Etcd)
	if err != nil {
		return nil, err
	}
	// The number of small nodes is enough for four fifths of the pods that fit only there.
	const share, pods = 0.3, 2
	small := max(1, int(float64(o.Rate)*share*lifetime.Seconds()*4/5/pods))
	err = load.Each(o.Nodes+small, func(i int) error {
		spec := fakelet.NodeSpec{Name: load.NodeName(i), CPU: "32", Memory: "128Gi"}
		if i >= o.Nodes {
			stream.Small(&spec)
		}
		return fakelet.AddNode(ctx, o.Plane.Client, spec)
	})
	return &run{o: o, since: since}, err
}

// Kinds of pods beside stream.Tight.
const (
	plain = "plain"
	held  = "held" // waits in Permit for an opener
)

// start creates pods from now on.
func (r *run) start(ctx context.Context, kinds ...string) error {
	var err error
	r.pods, err = stream.Start(ctx, r.stream(kinds))
	return err
}

// startThrough is start, and also creates pods while the API server is down.
func (r *run) startThrough(ctx context.Context, kinds ...string) error {
	o := r.stream(kinds)
	var err error
	if o.Bindings, err = history.Bindings(ctx, r.o.Plane.Etcd, r.o.Namespace); err != nil {
		return err
	}
	r.pods, err = stream.Start(ctx, o)
	return err
}

func (r *run) stream(kinds []string) stream.Options {
	return stream.Options{
		Client: r.o.Plane.Client, Namespace: r.o.Namespace, Rate: r.o.Rate, Lifetime: lifetime, Kinds: kinds,
		MostWaiting: map[string]int{stream.Tight: 40},
		Pod:         func(kind string, i int) *corev1.Pod { return r.pod(kind, fmt.Sprintf("%s-%06d", kind, i)) },
	}
}

func (r *run) pod(kind, name string) *corev1.Pod {
	pod := load.Pod(name)
	pod.Namespace, pod.Spec.SchedulerName = r.o.Namespace, r.o.Namespace
	switch kind {
	case stream.Tight:
		stream.Tighten(pod)
	case held:
		pod.Labels["hold"] = "true"
	}
	return pod
}

// launch starts a scheduler with this URL of the API server, and does not wait for it.
func (r *run) launch(url, profile string, extra ...string) (*daemon.Daemon, error) {
	config := "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" +
		"clientConnection: {qps: 5000, burst: 5000}\nprofiles:\n- schedulerName: " + r.o.Namespace + "\n" + profile
	return daemon.Launch(r.o.Plane, daemon.Options{
		Kind: daemon.Berth, Root: r.o.Root, Dir: r.o.Dir, Name: "berth", Config: config, URL: url,
		Binary: r.o.Binary, Plugins: r.o.Plugins, Extra: append([]string{"-v=2"}, extra...),
	})
}

// launchReplica starts a replica whose configuration begins with this text.
func (r *run) launchReplica(name, head string) (*daemon.Daemon, error) {
	config := "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + head +
		"clientConnection: {qps: 5000, burst: 5000}\nprofiles:\n- schedulerName: " + r.o.Namespace + "\n"
	return daemon.Launch(r.o.Plane, daemon.Options{
		Kind: daemon.Berth, Root: r.o.Root, Dir: r.o.Dir, Name: name, Config: config, LeaderElect: true,
		Binary: r.o.Binary, Plugins: r.o.Plugins, Extra: []string{"-v=2"},
	})
}

func ready(ctx context.Context, d *daemon.Daemon) error {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	return d.Until(ctx, d.Ready)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
