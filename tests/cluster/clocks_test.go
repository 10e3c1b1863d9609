package cluster

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/clocks"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

// clocksLibrary is testdata/clocks.c, compiled once.
var clocksLibrary = sync.OnceValues(func() (string, error) {
	library := filepath.Join(logs, "clocks.so")
	return library, clocks.Build("testdata/clocks.c", library)
})

// clocked is two replicas whose clocks the test changes.
type clocked struct {
	*replicas
	clocks []*clocks.Clocks // of members
	lines  []*proxy.Proxy   // between members and the API server
}

func clockedReplicas(t *testing.T, perSecond int, patience time.Duration) *clocked {
	t.Helper()
	onlyBerth(t, "clock that the library changes") // Go's programs do not ask the C library for the time
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler for testdata/clocks.c: ", err)
	}
	w := newWorld(t, patience)
	library, err := clocksLibrary()
	w.must(err)
	c := &clocked{}
	for i := range 2 {
		one, err := clocks.New(library, filepath.Join(w.dir, fmt.Sprintf("clocks-%d", i)))
		w.must(err)
		t.Cleanup(func() { _ = one.Close() })
		c.clocks, c.lines = append(c.clocks, one), append(c.lines, w.proxied())
	}
	c.replicas = w.replicate(2, perSecond, func(i int, o *daemon.Options) {
		o.Environment, o.URL = c.clocks[i].Environment(), c.lines[i].URL
	})
	return c
}

// both returns the leader's index in members, and that of the other replica.
func (c *clocked) both() (leader, follower int) {
	c.t.Helper()
	leader = slices.Index(c.members, c.leader(10*time.Second))
	return leader, 1 - leader
}

// renewals waits until the Lease has changed n times.
func (c *clocked) renewals(n int) {
	c.t.Helper()
	seen := map[string]bool{}
	c.eventually(time.Minute, func() error {
		lease, err := c.lease()
		if err != nil {
			return err
		}
		if seen[lease.ResourceVersion] = true; len(seen) <= n {
			return fmt.Errorf("the Lease has changed %d times, not %d", len(seen)-1, n)
		}
		return nil
	})
}

// Renewals in twice the leaseDuration: a follower that takes the Lease over without need has done so by then.
const enoughRenewals = 20

// course is a change of a replica's clocks, and the reversal of that change.
type course struct {
	name       string
	begin, end func(*clocks.Clocks) error
}

func courses() []course {
	jump := func(by time.Duration) course {
		return course{fmt.Sprintf("the wall clock jumps by %s", by),
			func(c *clocks.Clocks) error { return c.Jump(clocks.Wall, by) }, (*clocks.Clocks).Reset}
	}
	speed := func(name string, num, den int64, which ...clocks.Clock) course {
		return course{name,
			func(c *clocks.Clocks) error { return c.Run(num, den, which...) },
			func(c *clocks.Clocks) error { return c.Run(1, 1, which...) }}
	}
	return []course{
		jump(time.Hour), jump(-time.Hour),
		speed("the wall clock runs twice as fast", 2, 1, clocks.Wall),
		speed("the wall clock runs half as fast", 1, 2, clocks.Wall),
		speed("the steady clocks run twice as fast", 2, 1, clocks.Steady, clocks.Boot),
		speed("the steady clocks run half as fast", 1, 2, clocks.Steady, clocks.Boot),
	}
}

// Whatever a clock of either replica does, the leader keeps the Lease, and the holder of the Lease binds every
// pod.
func TestAClockThatMovesEndsNoLeadership(t *testing.T) {
	c := clockedReplicas(t, 20, 8*time.Minute)
	leader, follower := c.both()
	c.progress(50, 10*time.Second)
	before, err := c.lease()
	c.must(err)
	for _, one := range courses() {
		for _, member := range []int{leader, follower} {
			c.must(one.begin(c.clocks[member]))
			c.renewals(enoughRenewals)
			c.progress(20, 20*time.Second)
			after, err := c.lease()
			c.must(err)
			if *after.Spec.LeaseTransitions != *before.Spec.LeaseTransitions || *after.Spec.HolderIdentity != *before.Spec.HolderIdentity {
				t.Fatalf("%s (of the leader: %t): the Lease went from %s to %s", one.name, member == leader, *before.Spec.HolderIdentity, *after.Spec.HolderIdentity)
			}
			c.must(one.end(c.clocks[member]))
		}
	}
	c.settle()
}

// A follower takes over from a killed leader, whatever the follower's wall clock shows.
func TestAClockThatMovesDelaysNoFailover(t *testing.T) {
	for name, one := range map[string]course{"forward": courses()[0], "back": courses()[1]} {
		t.Run(name, func(t *testing.T) {
			c := clockedReplicas(t, 100, 2*time.Minute)
			leader, follower := c.both()
			c.progress(50, 10*time.Second)
			c.must(one.begin(c.clocks[leader]))
			c.renewals(1) // renewTime is wrong by an hour now
			c.must(one.begin(c.clocks[follower]))
			c.must(c.members[leader].Kill())
			c.progress(50, leaseDuration+takeover)
			if now, _ := c.both(); now != follower {
				t.Errorf("the follower does not hold the Lease")
			}
			c.settle()
		})
	}
}

// After a suspension, CLOCK_BOOTTIME shows that the Lease has expired, and CLOCK_MONOTONIC does not. The leader sends no
// binding before it has renewed the Lease, and here it cannot.
func TestALeaderThatWasSuspendedBindsNothing(t *testing.T) {
	c := clockedReplicas(t, 100, 2*time.Minute)
	leader, follower := c.both()
	c.progress(50, 10*time.Second)
	first, line := c.members[leader], c.lines[leader]
	var bindings atomic.Int64
	released := make(chan struct{})
	defer close(released)
	line.Set(proxy.Rule{Before: func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/binding") {
			bindings.Add(1)
		}
		if strings.Contains(r.URL.Path, "/leases/") {
			<-released
		}
	}})
	c.eventually(3*time.Second, func() error { // within the renewDeadline
		if n := bindings.Load(); n < 10 {
			return fmt.Errorf("%d bindings were sent", n)
		}
		return nil
	})
	c.must(first.Signal(syscall.SIGSTOP))
	time.Sleep(time.Second) // requests that it has sent arrive
	before := bindings.Load()
	c.must(c.clocks[leader].Jump(clocks.Boot, time.Hour))
	c.must(first.Signal(syscall.SIGCONT))
	if code, err := first.Wait(10 * time.Second); err != nil || code != 1 {
		t.Errorf("exit code %d, %v; want 1, as kube-scheduler's", code, err)
	}
	c.says(first, "Leaderelection lost", time.Second)
	if after := bindings.Load(); after != before {
		t.Errorf("%d bindings were sent before the suspension, %d after it", before, after-before)
	}
	c.progress(50, leaseDuration+takeover)
	if now, _ := c.both(); now != follower {
		t.Errorf("the follower does not hold the Lease")
	}
	c.settle()
}

// A follower that was suspended for an hour reads the Lease before it decides: the leader has renewed it.
func TestAFollowerThatWasSuspendedTakesNothingOver(t *testing.T) {
	c := clockedReplicas(t, 100, 2*time.Minute)
	leader, follower := c.both()
	before, err := c.lease()
	c.must(err)
	second := c.members[follower]
	c.must(second.Signal(syscall.SIGSTOP))
	c.renewals(enoughRenewals)
	c.must(c.clocks[follower].Jump(clocks.Boot, time.Hour))
	c.must(second.Signal(syscall.SIGCONT))
	c.renewals(enoughRenewals)
	after, err := c.lease()
	c.must(err)
	if *after.Spec.LeaseTransitions != *before.Spec.LeaseTransitions {
		t.Errorf("%d changes of the holder, then %d", *before.Spec.LeaseTransitions, *after.Spec.LeaseTransitions)
	}
	c.must(c.members[leader].Ready(c.ctx))
	c.settle()
}
