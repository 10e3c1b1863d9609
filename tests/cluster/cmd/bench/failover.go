package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"syscall"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/load"
)

const (
	leaseNamespace = metav1.NamespaceSystem
	leaseName      = "kube-scheduler"
)

// failover measures the time without bindings when the leader of two replicas of the run's scheduler ends: after SIGTERM
// from the release of the Lease, after SIGKILL from the kill, until the first binding by the other replica.
func failover(ctx context.Context, o *options, r *run) error {
	if err := load.Nodes(ctx, r.plane.Client, o.nodes); err != nil {
		return err
	}
	bindings, err := load.Bindings(ctx, r.plane.Client)
	if err != nil {
		return err
	}
	changes, err := r.holders(ctx)
	if err != nil {
		return err
	}
	pair := &pair{run: r, options: o, bindings: bindings, changes: changes}
	defer pair.stop()
	if err := pair.start(ctx); err != nil {
		return err
	}
	loaded, unload := context.WithCancel(ctx)
	defer unload()
	go arrive(loaded, r)
	var times []time.Duration
	for i := range o.rounds {
		took, err := pair.round(ctx)
		if err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
		times = append(times, took)
	}
	r.result["rounds"] = len(times)
	r.latencies(times)
	return nil
}

// arrive creates perSecond pods per second, and deletes older ones, so that the nodes do not fill up.
func arrive(ctx context.Context, r *run) {
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	pods := r.plane.Client.CoreV1().Pods(load.Namespace)
	var now int64
	for i := 0; ctx.Err() == nil; i++ {
		<-tick.C
		_, _ = pods.Create(ctx, load.Pod(fmt.Sprintf("pod-%d", i)), metav1.CreateOptions{})
		if old := i - 60*perSecond; old >= 0 {
			_ = pods.Delete(ctx, fmt.Sprintf("pod-%d", old), metav1.DeleteOptions{GracePeriodSeconds: &now})
		}
	}
}

// holder is the identity that holds the Lease from a revision on; "": nobody.
type holder struct {
	identity string
	revision int64
	seen     time.Time
}

// holders sends each change of the Lease's holder.
func (r *run) holders(ctx context.Context) (<-chan holder, error) {
	watch, err := r.plane.Client.CoordinationV1().Leases(leaseNamespace).Watch(ctx, metav1.ListOptions{
		FieldSelector: fields.OneTermEqualSelector("metadata.name", leaseName).String(),
	})
	if err != nil {
		return nil, err
	}
	out := make(chan holder, 1000)
	go func() {
		last := ""
		for event := range watch.ResultChan() {
			lease, ok := event.Object.(*coordinationv1.Lease)
			if !ok {
				continue
			}
			identity := ""
			if lease.Spec.HolderIdentity != nil {
				identity = *lease.Spec.HolderIdentity
			}
			revision, _ := strconv.ParseInt(lease.ResourceVersion, 10, 64)
			if identity != last {
				out <- holder{identity, revision, time.Now()}
			}
			last = identity
		}
	}()
	return out, nil
}

// pair is the two replicas. The next holder of the Lease is always the one that does not hold it, so the replicas need not say
// which identities they have.
type pair struct {
	run      *run
	options  *options
	members  []*daemon.Daemon
	started  int
	bindings <-chan load.Binding
	changes  <-chan holder
	leader   *daemon.Daemon
	identity string // of the leader
}

// start starts the leader, and the other replica after it.
func (p *pair) start(ctx context.Context) error {
	if err := p.add(ctx); err != nil {
		return err
	}
	change, err := p.change(ctx, true)
	if err != nil {
		return err
	}
	p.leader, p.identity = p.members[0], change.identity
	return p.add(ctx)
}

func (p *pair) stop() {
	for _, d := range p.members {
		_ = d.Kill()
	}
}

// add starts a replica and waits until it is ready.
func (p *pair) add(ctx context.Context) error {
	p.started++
	d, err := p.run.launchAs(p.options, daemon.Options{Name: fmt.Sprintf("replica-%d", p.started), LeaderElect: true})
	if err != nil {
		return err
	}
	p.members = append(p.members, d)
	ready, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	return d.Until(ready, d.Ready)
}

// change waits for the next change of the holder: to a replica, or to nobody.
func (p *pair) change(ctx context.Context, toReplica bool) (holder, error) {
	for {
		select {
		case c := <-p.changes:
			if (c.identity != "") == toReplica {
				return c, nil
			}
		case <-time.After(time.Minute):
			return holder{}, errors.New("the holder of the Lease does not change")
		case <-ctx.Done():
			return holder{}, ctx.Err()
		}
	}
}

// round ends the leader and starts another replica in its place.
func (p *pair) round(ctx context.Context) (time.Duration, error) {
	began, err := p.end(ctx)
	if err != nil {
		return 0, err
	}
	taken, err := p.change(ctx, true)
	if err != nil {
		return 0, err
	}
	if taken.identity == p.identity {
		return 0, fmt.Errorf("%s ended and holds the Lease again", taken.identity)
	}
	first, err := p.after(ctx, taken.revision)
	if err != nil {
		return 0, err
	}
	if _, err := p.leader.Wait(time.Minute); err != nil {
		return 0, err
	}
	p.members = slices.DeleteFunc(p.members, func(d *daemon.Daemon) bool { return d == p.leader })
	p.leader, p.identity = p.members[0], taken.identity
	return first.Sub(began), p.add(ctx)
}

// end ends the leader and returns from when on no replica leads, as far as the others can know: after SIGTERM from the release of
// the Lease, after SIGKILL from now.
func (p *pair) end(ctx context.Context) (time.Time, error) {
	select {
	case c := <-p.changes:
		return c.seen, fmt.Errorf("the Lease went from %q to %q although its holder runs", p.identity, c.identity)
	default:
	}
	if p.options.kill {
		return time.Now(), p.leader.Signal(syscall.SIGKILL)
	}
	if err := p.leader.Signal(syscall.SIGTERM); err != nil {
		return time.Time{}, err
	}
	release, err := p.change(ctx, false)
	return release.seen, err
}

// after returns when the first binding after this revision was seen.
func (p *pair) after(ctx context.Context, revision int64) (time.Time, error) {
	for {
		select {
		case b := <-p.bindings:
			if b.Revision > revision {
				return b.Seen, nil
			}
		case <-time.After(time.Minute):
			return time.Time{}, errors.New("the new leader binds nothing")
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		}
	}
}
