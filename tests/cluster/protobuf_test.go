package cluster

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/proxy"
)

// The scheduler reads every built-in kind in the encoding that its configuration names, and binds pods with claims.
func TestKindsAreReadAsProtobuf(t *testing.T) {
	for _, row := range []struct{ name, config, want string }{
		{"default", "", "application/vnd.kubernetes.protobuf"},
		{"json", "clientConnection: {contentType: application/json}", "application/json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t, 2*time.Minute)
			w.smallAndLarge()
			w.storageClass("fake.berth.dev")
			w.provision(10 * time.Millisecond)
			w.claim("data")
			w.pod("consumer", uses("data"), cpu("2"))
			types := &contentTypes{seen: map[string]string{}}
			p := w.proxied()
			p.Set(proxy.Rule{After: types.add})
			w.start(w.profile(row.config), through(p))
			w.bound("consumer", 30*time.Second)
			w.pod("later", cpu("1"))
			w.bound("later", 10*time.Second)
			types.check(t, row.want)
		})
	}
}

// contentTypes are those of watches, by path.
type contentTypes struct {
	mu   sync.Mutex
	seen map[string]string
}

func (c *contentTypes) add(r *http.Response) {
	if !proxy.IsWatch(r.Request) || r.StatusCode != http.StatusOK || strings.Contains(r.Request.URL.Path, "leases") {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[r.Request.URL.Path] = r.Header.Get("Content-Type")
}

func (c *contentTypes) check(t *testing.T, want string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, path := range []string{"/api/v1/pods", "/api/v1/nodes", "/api/v1/persistentvolumeclaims", "/apis/storage.k8s.io/v1/storageclasses"} {
		if c.seen[path] == "" {
			t.Errorf("%s was not watched", path)
		}
	}
	for path, got := range c.seen {
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s was watched as %q, not as %s", path, got, want)
		}
	}
}
