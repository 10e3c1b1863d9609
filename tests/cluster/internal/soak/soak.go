// Package soak changes a scheduler's policy once a second while pods are scheduled. Afterwards it checks, with etcd's
// history and the scheduler's log, that each pod was bound once, that no node was ever overcommitted, and that each
// decision is that of one generation of the policy.
package soak

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// Options describe the cluster, the programs, the length, and the load.
type Options struct {
	Plane     *controlplane.ControlPlane // fakelet simulates its nodes
	Root      string                     // top of the source tree
	Dir       string                     // for configuration, libraries, and logs; must exist
	Binary    string                     // Berth's program
	Plugins   string                     // directory of Berth's plugins; is copied
	Builds    string                     // directory of the builds of tests/cluster/plugin/prefers_version.cc
	Namespace string                     // has to exist; also the schedulerName
	Nodes     int                        // at least one for each label
	Rate      int                        // pods per second
	Warmup    time.Duration              // pods without swaps, before the first memory measurement
	Length    time.Duration              // of the swaps
	Every     time.Duration              // between two of them
	Seed      uint64
	Log       io.Writer // progress
}

const (
	lifetime = 5 * time.Second  // of a pod on its node
	settling = 5 * time.Second  // after the last swap, before the last memory measurement
	patience = 90 * time.Second // until all pods have nodes at the end
)

// Run returns an error if the soak could not run; errors that it found are in the summary.
func Run(ctx context.Context, o Options) (*Summary, error) {
	since, err := history.Now(ctx, o.Plane.Etcd)
	if err != nil {
		return nil, err
	}
	nodes, err := makeNodes(ctx, o)
	if err != nil {
		return nil, err
	}
	// The guest is there from the beginning, so that the memory of its plugins does not count for swaps.
	s := &swapper{o: o, generation: 1, want: policy{version: 1, versionWeight: 2, shapeWeight: 1, guest: true}}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	defer func() { _ = s.d.Kill() }()
	pods, err := startPods(ctx, o)
	if err != nil {
		return nil, err
	}
	memory := &memory{}
	measure := func(generation uint64) error {
		used, err := s.d.Usage()
		memory.add(generation, used.RSS)
		return err
	}
	if err := sleep(ctx, o.Warmup); err != nil {
		return nil, err
	}
	if err := measure(1); err != nil {
		return nil, err
	}
	fmt.Fprintf(o.Log, "soak: %d pods were created without a swap; now one every %s for %s\n", pods.Count(), o.Every, o.Length)
	swaps, err := s.swaps(ctx, measure)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, settling); err != nil {
		return nil, err
	}
	if err := measure(s.generation); err != nil {
		return nil, err
	}
	last, err := s.welcome(ctx)
	if err != nil {
		return nil, err
	}
	made := pods.Finish(ctx, patience)
	metrics, err := swaplog.Counters(ctx, s.d.URL)
	if err != nil {
		return nil, fmt.Errorf("the scheduler does not answer: %w; the end of its log:\n%s", err, s.d.Tail(20))
	}
	lines, err := swaplog.Follow(s.d.Log()).Next()
	if err != nil {
		return nil, err
	}
	events, err := history.Read(ctx, o.Plane.Etcd, since)
	if err != nil {
		return nil, err
	}
	r := record{
		namespace: o.Namespace, first: s.first, nodes: nodes, created: made.Created, swaps: append(swaps, last...), lines: lines,
		events: events, since: since, counters: metrics,
	}
	summary := r.check()
	summary.Unbound = made.Unbound
	for _, refused := range made.Refused {
		summary.wrong("the API server refused a pod: %s", refused)
	}
	summary.memory = *memory
	summary.budget = s.budget(summary)
	return summary, nil
}

// start copies the plugins, so that no other build changes the watched files, and starts the scheduler.
func (s *swapper) start(ctx context.Context) error {
	s.first = s.want
	plugins, own := filepath.Join(s.o.Dir, "plugins"), filepath.Join(s.o.Dir, "swapped")
	if err := os.CopyFS(plugins, os.DirFS(s.o.Plugins)); err != nil {
		return err
	}
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	s.library = filepath.Join(own, "PrefersVersion.so")
	content, err := s.build(fmt.Sprint(s.want.version))
	if err != nil {
		return err
	}
	if err := daemon.Replace(s.library, content); err != nil {
		return err
	}
	s.d, err = daemon.Launch(s.o.Plane, daemon.Options{
		Kind: daemon.Berth, Root: s.o.Root, Dir: s.o.Dir, Name: "soak", Config: s.want.config(s.o.Namespace),
		Binary: s.o.Binary, Plugins: plugins, Extra: []string{"-v=2", "--plugin-dir=" + own},
	})
	if err != nil {
		return err
	}
	s.log = swaplog.Follow(s.d.Log())
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	return s.d.Until(ctx, s.d.Ready)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
