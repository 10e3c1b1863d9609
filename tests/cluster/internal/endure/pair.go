package endure

import (
	"context"
	"fmt"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
)

// The Lease of two replicas, and its times.
const (
	leaseNamespace = metav1.NamespaceSystem
	leaseName      = "kube-scheduler"
	elected        = "leaderElection: {leaderElect: true, leaseDuration: 3s, renewDeadline: 2s, retryPeriod: 500ms}\n"
)

// pair is two replicas. A replica that has ended is restarted, as a kubelet does. Only one goroutine may use it.
type pair struct {
	r       *run
	launch  func(name string) (*daemon.Daemon, error)
	members [2]*daemon.Daemon
	all     []*daemon.Daemon // that ever ran, each with its own log
}

// startPair returns when both replicas are ready.
func (r *run) startPair(ctx context.Context, launch func(name string) (*daemon.Daemon, error)) (*pair, error) {
	_ = r.o.Plane.Client.CoordinationV1().Leases(leaseNamespace).Delete(ctx, leaseName, metav1.DeleteOptions{})
	p := &pair{r: r, launch: launch}
	for i := range p.members {
		if err := p.start(i); err != nil {
			return p, err
		}
	}
	return p, p.ready(ctx, time.Minute)
}

func (p *pair) start(i int) error {
	d, err := p.launch(fmt.Sprintf("berth-%d", len(p.all)))
	if err != nil {
		return err
	}
	p.members[i] = d
	p.all = append(p.all, d)
	return nil
}

// revive restarts the replicas that have ended, and returns how many.
func (p *pair) revive() (int, error) {
	n := 0
	for i, d := range p.members {
		if !d.Running() {
			n++
			if err := p.start(i); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// ready waits until both replicas are ready and one leads; it restarts replicas that end in the meantime.
func (p *pair) ready(ctx context.Context, patience time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for {
		_, err := p.revive()
		if err != nil {
			return err
		}
		for _, d := range p.members {
			if err == nil {
				err = d.Ready(ctx)
			}
		}
		if err == nil {
			_, err = p.leader(ctx)
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the replicas are not ready within %s: %w; the ends of their logs:\n%s\n\n%s", patience, err,
				p.members[0].Tail(10), p.members[1].Tail(10))
		}
		_ = sleep(ctx, 50*time.Millisecond)
	}
}

// leader is the index of the replica that holds the Lease.
func (p *pair) leader(ctx context.Context) (int, error) {
	lease, err := p.lease(ctx)
	if err != nil {
		return 0, err
	}
	if holder := lease.Spec.HolderIdentity; holder != nil && *holder != "" {
		for i, d := range p.members {
			if d.Running() && d.Identity() == *holder {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("no replica that runs holds the Lease")
}

func (p *pair) lease(ctx context.Context) (*coordinationv1.Lease, error) {
	return p.r.o.Plane.Client.CoordinationV1().Leases(leaseNamespace).Get(ctx, leaseName, metav1.GetOptions{})
}

// progress waits until n more pods are bound than now; it restarts replicas that end in the meantime.
func (p *pair) progress(ctx context.Context, n int, patience time.Duration) error {
	want, until := p.r.pods.Bound()+n, time.Now().Add(patience)
	for p.r.pods.Bound() < want {
		if _, err := p.revive(); err != nil {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("no %d pods were bound within %s; the ends of the logs:\n%s\n\n%s", n, patience, p.members[0].Tail(10), p.members[1].Tail(10))
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// kill ends both replicas, which are not restarted.
func (p *pair) kill() {
	for _, d := range slices.DeleteFunc(p.members[:], func(d *daemon.Daemon) bool { return d == nil }) {
		_ = d.Kill()
	}
}
