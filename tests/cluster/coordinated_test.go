package cluster

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

// The controller in the API server waits 5 s for the candidates' answers, and checks a Lease every 5 s.
const coordinatedElection = 20 * time.Second

// TestTheControlPlaneChoosesTheLeader runs coordinated leader election (KEP-4355) with the API server's own controller.
func TestTheControlPlaneChoosesTheLeader(t *testing.T) {
	onlyBerth(t, "fence")
	c := anotherPlane(t, "control-plane-coordinated", controlplane.Options{APIServerFlags: []string{
		"--feature-gates=CoordinatedLeaderElection=true", "--runtime-config=coordination.k8s.io/v1beta1=true"}})
	t.Run("Scheduler", func(t *testing.T) {
		w := newWorldOn(t, c, 4*time.Minute)
		r := w.replicate(3, 20, func(_ int, o *daemon.Options) {
			o.Identity = controlplane.KubeScheduler // manifests/rbac.yaml has no rights to candidates
			o.Extra = append(o.Extra, "--feature-gates=CoordinatedLeaderElection=true")
			o.Config += "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nleaderElection: {onLoss: standby}\n"
		})
		first := r.leader(coordinatedElection)
		r.progress(20, 10*time.Second)
		r.isCandidate(first.Identity())

		// The control plane prefers a candidate that emulates an older version, and the leader gives the Lease up.
		older := r.candidate("older-scheduler", "1.35.0")
		r.says(first, "became a follower", coordinatedElection)
		r.holds(older, coordinatedElection)
		older.withdraw()
		second := r.leader(2 * coordinatedElection)
		r.progress(20, 10*time.Second)

		// Another replica takes over from a leader that ends, and from one that crashes.
		r.must(second.Signal(syscall.SIGTERM))
		if code, err := second.Wait(10 * time.Second); err != nil || code != 0 { // until then it may still be the leader
			t.Errorf("exit code %d, %v; want 0", code, err)
		}
		r.progress(20, 2*coordinatedElection)
		r.must(r.leader(coordinatedElection).Kill())
		r.progress(20, 2*coordinatedElection)
		r.settle()
	})
}

// isCandidate checks what kube-scheduler 1.36.3 would have published under this name.
func (r *replicas) isCandidate(identity string) {
	r.t.Helper()
	got, err := r.client.CoordinationV1beta1().LeaseCandidates(leaseNamespace).Get(r.ctx, identity, metav1.GetOptions{})
	r.must(err)
	spec := got.Spec
	if spec.LeaseName != leaseName || spec.BinaryVersion != "1.36.3" || spec.EmulationVersion != "1.36.0" ||
		spec.Strategy != coordinationv1.OldestEmulationVersion || spec.RenewTime == nil {
		r.t.Errorf("the candidate %s has the spec %+v", identity, spec)
	}
}

// candidate is a competing replica that answers the pings of the control plane, and never renews the Lease.
type candidate struct {
	*replicas
	name     string
	withdraw context.CancelFunc
}

func (r *replicas) candidate(name, emulation string) *candidate {
	r.t.Helper()
	ctx, stop := context.WithCancel(r.ctx)
	all := r.client.CoordinationV1beta1().LeaseCandidates(leaseNamespace)
	_, err := all.Create(ctx, &coordinationv1beta1.LeaseCandidate{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: coordinationv1beta1.LeaseCandidateSpec{
			LeaseName: leaseName, BinaryVersion: emulation, EmulationVersion: emulation,
			Strategy: coordinationv1.OldestEmulationVersion, RenewTime: &metav1.MicroTime{Time: time.Now()},
		},
	}, metav1.CreateOptions{})
	r.must(err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ; ctx.Err() == nil; time.Sleep(500 * time.Millisecond) {
			if one, err := all.Get(ctx, name, metav1.GetOptions{}); err == nil {
				one.Spec.RenewTime = &metav1.MicroTime{Time: time.Now()}
				_, _ = all.Update(ctx, one, metav1.UpdateOptions{}) // again in the next round
			}
		}
	}()
	withdraw := func() {
		stop()
		<-ended
		_ = all.Delete(r.ctx, name, metav1.DeleteOptions{})
	}
	r.t.Cleanup(withdraw)
	return &candidate{r, name, withdraw}
}

// holds waits until the control plane has given the Lease to the candidate.
func (r *replicas) holds(c *candidate, patience time.Duration) {
	r.t.Helper()
	r.eventually(patience, func() error {
		lease, err := r.lease()
		if err == nil && (lease.Spec.HolderIdentity == nil || *lease.Spec.HolderIdentity != c.name) {
			err = fmt.Errorf("the Lease is %+v", lease.Spec)
		}
		return err
	})
}
