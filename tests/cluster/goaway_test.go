package cluster

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

// TestGoAwaysOfTheAPIServer: with --goaway-chance, as behind a load balancer, the API server sends GOAWAY with 2 % of its
// replies. A connection ends when its streams have ended, and later requests use another one.
func TestGoAwaysOfTheAPIServer(t *testing.T) {
	const pods = 500
	c := anotherPlane(t, "control-plane-goaway", controlplane.Options{APIServerFlags: []string{"--goaway-chance=0.02"}})
	w := newWorldOn(t, c, 3*time.Minute)
	w.nodes("node", 10)
	d := w.start(w.profile(fast))
	seen := map[uint16]bool{}
	w.pods("pod", pods)
	w.eventually(time.Minute, func() error {
		w.connections(d, seen)
		if n := w.boundNow(); n < pods {
			return fmt.Errorf("%d of %d pods are bound", n, pods)
		}
		return nil
	})
	for i := 0; !w.connections(d, seen); i++ {
		name := fmt.Sprintf("later-%d", i)
		w.pod(name)
		w.bound(name, 10*time.Second)
	}
	w.eventually(30*time.Second, w.everyBoundPodHasItsEvent)
	w.prove()
}

// connections adds the scheduler's ports of its connections to the API server to those seen, and reports whether one of them
// is gone.
func (w *world) connections(d *daemon.Daemon, seen map[uint16]bool) bool {
	w.t.Helper()
	server, err := url.Parse(w.plane.URL)
	w.must(err)
	port, err := strconv.ParseUint(server.Port(), 10, 16)
	w.must(err)
	now, err := d.Connections(uint16(port))
	w.must(err)
	for _, own := range now {
		seen[own] = true
	}
	return len(seen) > len(now)
}
