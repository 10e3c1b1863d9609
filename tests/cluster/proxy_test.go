package cluster

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

// proxied starts a proxy in front of the API server until the end of the test.
func (w *world) proxied() *proxy.Proxy {
	w.t.Helper()
	certificate, key := w.plane.Certificate()
	p, err := proxy.Start(w.plane.URL, w.plane.CA(), certificate, key)
	w.must(err)
	w.t.Cleanup(func() { _ = p.Stop() })
	return p
}

// through makes the scheduler use only the proxy to reach the API server.
func through(p *proxy.Proxy) func(*daemon.Options) {
	return func(o *daemon.Options) { o.URL = p.URL }
}

// binds returns whether a request is the binding of a pod whose name has this prefix.
func binds(r *http.Request, prefix string) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/binding") && strings.Contains(r.URL.Path, "/pods/"+prefix)
}

// The server binds, and every fifth answer is lost. Watches and all other connections are cut from time to time.
func TestConnectionsAreCutAfterTheServerHasBound(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	w.nodes("node", 10, func(n *fakelet.NodeSpec) { n.CPU, n.Memory = "5", "50Gi" })
	w.pods("pod", crowd, cpu("100m"))
	p := w.proxied()
	var posts, cuts atomic.Int64
	p.Set(proxy.Rule{Cut: func(r *http.Request) bool {
		cut := binds(r, "") && posts.Add(1)%5 == 0
		if cut {
			cuts.Add(1)
		}
		return cut
	}})
	w.start(w.profile("clientConnection: {qps: 200, burst: 200}"), through(p))
	for n := crowd / 5; n < crowd; n += crowd / 5 {
		w.atLeast(n, time.Minute)
		p.Cut(nil)
	}
	settledAfterLoss(w)
	if cuts.Load() < 10 {
		t.Errorf("only %d of %d bindings were cut", cuts.Load(), posts.Load())
	}
}

// The scheduler does not miss events while it reconnects.
func TestWatchesAreCutWhilePodsCome(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	w.nodes("node", 4)
	p := w.proxied()
	w.start(w.profile(fast), through(p))
	for i := range 10 {
		w.pods("pod-"+string(rune('a'+i)), 5, cpu("100m"))
		p.Cut(nil)
	}
	w.atLeast(50, time.Minute)
	w.prove()
}
