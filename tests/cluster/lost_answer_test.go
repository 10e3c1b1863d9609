package cluster

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

// The server binds a pod and dies before it answers. The next server refuses all requests until it has read its RBAC rules: for
// four seconds it does not report the pod's node, and it ends every watch. A rival for the pod's resources, which the server
// would bind, must not get them in the meantime.
func TestTheAnswerToABindingIsLostAndAskingIsRefusedAtFirst(t *testing.T) {
	if kind == daemon.Kube {
		t.Skip("kube-scheduler gives the room away")
	}
	w := newWorld(t, time.Minute)
	w.node("node", oneCPU)
	p := w.proxied()
	const lost = "Berth-Answer-Is-Lost"
	var refuses, once atomic.Bool
	held := make(chan struct{})
	p.Set(proxy.Rule{
		Before: func(r *http.Request) {
			if binds(r, "victim") && once.CompareAndSwap(false, true) {
				<-held
				refuses.Store(true)
				p.Cut(r)
				r.Header.Set(lost, "yes")
			}
		},
		Refuse: func(r *http.Request) bool {
			watch := r.Method == http.MethodGet && !strings.Contains(r.URL.Path, "/pods/")
			return refuses.Load() && r.Header.Get(lost) == "" && (watch || strings.Contains(r.URL.Path, "/pods/victim"))
		},
		Cut: func(r *http.Request) bool { return r.Header.Get(lost) != "" },
	})
	w.start(w.profile("podMaxBackoffSeconds: 1"), through(p))
	w.pod("victim", cpu("1"))
	w.pod("rival", cpu("1"))
	w.unschedulable("rival", 10*time.Second)
	close(held)
	w.bound("victim", 10*time.Second)
	time.Sleep(4 * time.Second)
	refuses.Store(false)
	w.pod("last", cpu("1"))
	w.unschedulable("last", 30*time.Second)
	w.prove()
}
