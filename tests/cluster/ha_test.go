package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

// The Lease that replicas of these tests share, and its times.
const (
	leaseNamespace = metav1.NamespaceSystem
	leaseName      = "kube-scheduler"
	leaseDuration  = 5 * time.Second
	election       = "leaderElection: {leaderElect: true, leaseDuration: 5s, renewDeadline: 4s, retryPeriod: 500ms}"
)

// replicas is a world whose scheduler runs more than once, while pods arrive.
type replicas struct {
	*world
	members []*daemon.Daemon
	created atomic.Int64
	stop    context.CancelFunc
	ended   chan struct{}
}

// replicate starts n replicas and a load of perSecond pods. Each replica is the leader's successor in some order.
func (w *world) replicate(n, perSecond int, change ...func(int, *daemon.Options)) *replicas {
	w.t.Helper()
	_ = w.client.CoordinationV1().Leases(leaseNamespace).Delete(w.ctx, leaseName, metav1.DeleteOptions{})
	r := &replicas{world: w, ended: make(chan struct{})}
	w.nodes("node", 10, func(n *fakelet.NodeSpec) { n.CPU, n.Memory, n.Pods = "20", "200Gi", "1000" })
	for i := range n {
		r.members = append(r.members, w.start(w.profile(fast, election), func(o *daemon.Options) {
			o.LeaderElect = true
			for _, f := range change {
				f(i, o)
			}
		}))
	}
	r.load(perSecond)
	return r
}

func (r *replicas) load(perSecond int) {
	ctx, stop := context.WithCancel(r.ctx)
	r.stop = stop
	go func() {
		defer close(r.ended)
		tick := time.NewTicker(time.Second / time.Duration(perSecond))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				name := fmt.Sprintf("pod-%d", r.created.Load())
				if _, err := r.client.CoreV1().Pods(r.ns).Create(r.ctx, r.newPod(name, cpu("50m")), metav1.CreateOptions{}); err == nil {
					r.created.Add(1)
				}
			}
		}
	}()
}

// leader is the replica that holds the Lease.
func (r *replicas) leader(patience time.Duration) *daemon.Daemon {
	r.t.Helper()
	var leader *daemon.Daemon
	r.eventually(patience, func() error {
		lease, err := r.lease()
		if err != nil {
			return err
		}
		if lease.Spec.HolderIdentity == nil {
			return fmt.Errorf("the Lease has no holder")
		}
		for _, d := range r.members {
			if d.Identity() == *lease.Spec.HolderIdentity && d.Running() {
				leader = d
				return nil
			}
		}
		return fmt.Errorf("no running replica is %s", *lease.Spec.HolderIdentity)
	})
	return leader
}

func (r *replicas) lease() (*coordinationv1.Lease, error) {
	return r.client.CoordinationV1().Leases(leaseNamespace).Get(r.ctx, leaseName, metav1.GetOptions{})
}

// progress waits until n more pods are bound than now.
func (r *replicas) progress(n int, patience time.Duration) {
	r.t.Helper()
	bound, _, err := r.count()
	r.must(err)
	r.atLeast(bound+n, patience)
}

// mostUnanswered is how many bindings a replica may have made without logging them, although no signal ended it: those whose
// answers it had not received when it was stopped or cut off. It has a few in flight at a time.
const mostUnanswered = 20

// settle ends the load, waits until every pod is bound, and checks etcd's history: each pod has one node, no node is
// overcommitted, and only the holder of the Lease has bound pods.
func (r *replicas) settle() {
	r.t.Helper()
	r.stop()
	<-r.ended
	r.atLeast(int(r.created.Load()), 30*time.Second)
	proof := r.prove()
	if int64(len(proof.Bound)) != r.created.Load() {
		r.t.Errorf("%d pods were created and %d bound", r.created.Load(), len(proof.Bound))
	}
	events, err := history.Read(r.ctx, r.plane.Etcd, r.since)
	r.must(err)
	holdings, err := history.Holdings(r.ctx, r.plane.Etcd, leaseNamespace, leaseName, r.since)
	r.must(err)
	authors, err := daemon.Authors(r.members)
	r.must(err)
	fence := history.Fenced(r.own(events), holdings, func(pod string) string { return authors[pod] })
	r.none("bindings by a replica that did not hold the Lease", fence.Wrong())
	for holder, unknown := range fence.Unknown() {
		if unknown > mostUnanswered && !r.killed(holder) {
			r.t.Errorf("the logs do not say who bound %d of %d pods while %q held the Lease", unknown, len(proof.Bound), holder)
		}
	}
	r.t.Logf("%d pods, unknown authors by holder: %v, %d changes of the holder", len(proof.Bound), fence.Unknown(), len(holdings))
}

// own are the events of this test's pods.
func (r *replicas) own(events []history.Event) []history.Event {
	return slices.DeleteFunc(events, func(e history.Event) bool { return e.Pod == nil || e.Pod.Namespace != r.ns })
}

// killed says whether a signal ended the replica: it has not written the log lines of its last bindings.
func (r *replicas) killed(identity string) bool {
	return slices.ContainsFunc(r.members, func(d *daemon.Daemon) bool { return d.Identity() == identity && d.Killed() })
}

// takeover is a generous limit for what a successor does after the Lease has expired, and for 50 bindings.
const takeover = 15 * time.Second

// released says whether the replica has left the Lease without a holder.
func (r *replicas) released(d *daemon.Daemon) bool {
	r.t.Helper()
	holdings, err := history.Holdings(r.ctx, r.plane.Etcd, leaseNamespace, leaseName, r.since)
	r.must(err)
	held := slices.IndexFunc(holdings, func(h history.Holding) bool { return h.Holder == d.Identity() })
	return held >= 0 && held+1 < len(holdings) && holdings[held+1].Holder == ""
}

// The leader ends in some way; another replica takes over.
func TestAnotherReplicaGoesOn(t *testing.T) {
	onlyBerth(t, "failover within the time of a test")
	asked := func(r *replicas, d *daemon.Daemon) { r.must(d.Signal(syscall.SIGTERM)) }
	killed := func(r *replicas, d *daemon.Daemon) { r.must(d.Kill()) }
	for _, one := range []struct {
		name     string
		end      func(r *replicas, leader *daemon.Daemon)
		releases bool // the leader releases the Lease, so its successor does not wait until the Lease expires
		replicas int
	}{
		{"asked to end", asked, true, 2},
		{"killed", killed, false, 2},
		{"killed of three", killed, false, 3},
	} {
		t.Run(one.name, func(t *testing.T) {
			r := newWorld(t, 2*time.Minute).replicate(one.replicas, 100)
			first := r.leader(10 * time.Second)
			r.progress(50, 10*time.Second)
			one.end(r, first)
			r.progress(50, leaseDuration+takeover)
			if second := r.leader(10 * time.Second); second == first {
				t.Errorf("the same replica holds the Lease")
			}
			r.settle()
			if releases := r.released(first); releases != one.releases {
				t.Errorf("the leader has released the Lease at its end: %t", releases)
			}
		})
	}
}

// A leader that is stopped for longer than its Lease lasts binds nothing when it continues, and ends.
func TestAStoppedLeaderIsNoLeaderWhenItContinues(t *testing.T) {
	onlyBerth(t, "fence")
	r := newWorld(t, 2*time.Minute).replicate(2, 100)
	first := r.leader(10 * time.Second)
	r.progress(50, 10*time.Second)
	r.must(first.Signal(syscall.SIGSTOP))
	r.progress(50, leaseDuration+takeover)
	r.must(first.Signal(syscall.SIGCONT))
	if code, err := first.Wait(10 * time.Second); err != nil || code != 1 {
		t.Errorf("exit code %d, %v; want 1, as kube-scheduler's", code, err)
	}
	r.says(first, "Leaderelection lost", time.Second)
	r.progress(50, takeover)
	r.settle()
}

// A leader whose connections hang like those of a pulled cable binds nothing more; the other one takes over.
func TestACutOffLeaderIsReplaced(t *testing.T) {
	onlyBerth(t, "fence")
	w := newWorld(t, 2*time.Minute)
	var lines []*proxy.Proxy
	r := w.replicate(2, 100, func(_ int, o *daemon.Options) {
		p := w.proxied()
		lines = append(lines, p)
		o.URL = p.URL
	})
	first := r.leader(10 * time.Second)
	r.progress(50, 10*time.Second)
	cut := lines[0]
	if first == r.members[1] {
		cut = lines[1]
	}
	cut.HangAll()
	time.Sleep(leaseDuration + 4*time.Second)
	if second := r.leader(5 * time.Second); second == first {
		t.Errorf("the replica that is cut off holds the Lease")
	}
	cut.Cut(nil)
	if code, err := first.Wait(20 * time.Second); err != nil || code != 1 {
		t.Errorf("exit code %d, %v; want 1", code, err)
	}
	r.progress(50, takeover)
	r.settle()
}

// onLoss: standby: a leader that has lost its Lease becomes a follower, and leads again after the other one's end.
func TestAFormerLeaderStandsBy(t *testing.T) {
	onlyBerth(t, "standby")
	w := newWorld(t, 2*time.Minute)
	r := w.replicate(2, 100, func(_ int, o *daemon.Options) {
		o.Config += "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nleaderElection: {onLoss: standby}\n"
	})
	first := r.leader(10 * time.Second)
	r.progress(50, 10*time.Second)
	r.must(first.Signal(syscall.SIGSTOP))
	r.progress(50, leaseDuration+takeover)
	second := r.leader(5 * time.Second)
	r.must(first.Signal(syscall.SIGCONT))
	r.says(first, "became a follower", 5*time.Second)
	r.must(second.Signal(syscall.SIGTERM))
	r.progress(50, takeover)
	if third := r.leader(5 * time.Second); third != first {
		t.Errorf("the former leader does not lead again")
	}
	if strings.Count(first.Tail(100000), "Successfully bound pod to node") == 0 {
		t.Errorf("the former leader has bound nothing")
	}
	r.settle()
}
