package cluster

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

// TestGoAwaysOfTheAPIServer: with --goaway-chance, as behind a load balancer, the API server answers up to 2 % of the requests
// with GOAWAY, and closes the connection when its streams have ended. Requests and watches continue on another connection.
func TestGoAwaysOfTheAPIServer(t *testing.T) {
	const pods = 500
	c := anotherPlane(t, "control-plane-goaway", controlplane.Options{APIServerFlags: []string{"--goaway-chance=0.02"}})
	w := newWorldOn(t, c, 3*time.Minute)
	w.nodes("node", 8)
	d := w.start(w.profile(fast))
	first := w.connections(d)
	w.pods("pod", pods)
	w.eventually(time.Minute, func() error {
		if n := w.boundNow(); n < pods {
			return fmt.Errorf("%d of %d pods are bound", n, pods)
		}
		return nil
	})
	w.eventually(30*time.Second, w.everyBoundPodHasItsEvent)
	w.pod("last")
	w.bound("last", 10*time.Second)
	w.prove()
	if now := w.connections(d); slices.Equal(first, now) {
		t.Errorf("the scheduler has the connections that it had at first, %v: no GOAWAY came", now)
	}
}

// connections returns the scheduler's ports of its connections to the API server, sorted.
func (w *world) connections(d *daemon.Daemon) []uint16 {
	w.t.Helper()
	server, err := url.Parse(w.plane.URL)
	w.must(err)
	port, err := strconv.ParseUint(server.Port(), 10, 16)
	w.must(err)
	ports, err := d.Connections(uint16(port))
	w.must(err)
	slices.Sort(ports)
	return ports
}
