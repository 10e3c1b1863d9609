package cluster

import (
	"errors"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

// The scheduler reads every built-in kind in the encoding that its configuration names, and binds pods with claims.
func TestKindsAreReadAsProtobuf(t *testing.T) {
	for _, row := range []struct{ name, config, want string }{
		{"default", "", inProtobuf},
		{"json", "clientConnection: {contentType: application/json}", inJSON},
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

const (
	inJSON     = "application/json"
	inProtobuf = "application/vnd.kubernetes.protobuf"
)

// The scheduler writes built-in kinds in the encoding that its configuration names, as kube-scheduler does; patches are JSON in
// any case.
func TestKindsAreWrittenAsProtobuf(t *testing.T) {
	for _, row := range []struct{ name, config, want string }{
		{"default", fast, inProtobuf},
		{"json", "clientConnection: {contentType: application/json, qps: 1000, burst: 1000}", inJSON},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t, 2*time.Minute)
			writes := w.write(row.config, proxy.Rule{})
			for _, kind := range []string{"POST binding", "POST events", "POST leases", "PUT leases"} {
				writes.expect(t, kind, row.want)
			}
			writes.expect(t, "PATCH status", "application/strategic-merge-patch+json")
		})
	}
}

// A server that answers protobuf with 415 gets all as JSON, and each object once.
func TestAServerThatDoesNotAcceptProtobufGetsJSON(t *testing.T) {
	onlyBerth(t, "other encoding for such a server")
	w := newWorld(t, 2*time.Minute)
	writes := w.write(fast, proxy.Rule{Reject: func(r *http.Request) bool { return r.Header.Get("Content-Type") == inProtobuf }})
	for _, kind := range []string{"POST binding", "POST events", "POST leases"} {
		writes.expect(t, kind, inProtobuf, inJSON)
	}
	writes.expect(t, "PUT leases", inJSON)
	w.prove()
}

// write has a scheduler bind pods, report one that does not fit, and hold and release the Lease, and returns what it wrote.
func (w *world) write(config string, rule proxy.Rule) *writes {
	w.t.Helper()
	_ = w.client.CoordinationV1().Leases(leaseNamespace).Delete(w.ctx, leaseName, metav1.DeleteOptions{})
	w.node("node", oneCPU)
	seen := &writes{types: map[string][]string{}}
	rule.Before = seen.add
	p := w.proxied()
	p.Set(rule)
	d := w.start(w.profile(config, election), through(p), func(o *daemon.Options) { o.LeaderElect = true })
	for _, name := range []string{"first", "second"} {
		w.pod(name, cpu("300m"))
		w.bound(name, 10*time.Second)
	}
	w.pod("large", cpu("2"))
	w.unschedulable("large", 10*time.Second)
	for name, reason := range map[string]string{"first": "Scheduled", "second": "Scheduled", "large": "FailedScheduling"} {
		pod, err := w.get(name)
		w.must(err)
		w.event(pod, reason)
		events, err := w.events(pod, reason)
		w.must(err)
		if len(events) != 1 || events[0].EventTime.IsZero() || events[0].Note == "" {
			w.t.Errorf("pod %s has the events %+v", name, events)
		}
	}
	lease, err := w.client.CoordinationV1().Leases(leaseNamespace).Get(w.ctx, leaseName, metav1.GetOptions{})
	w.must(err)
	if spec := lease.Spec; spec.HolderIdentity == nil || *spec.HolderIdentity == "" || spec.RenewTime == nil || *spec.LeaseDurationSeconds != int32(leaseDuration.Seconds()) {
		w.t.Errorf("the Lease is %+v", spec)
	}
	w.eventually(10*time.Second, func() error {
		if len(seen.of("PUT leases")) < 2 {
			return errors.New("the Lease is not renewed")
		}
		return nil
	})
	w.must(d.Kill())
	return seen
}

// writes are the content types of requests that change something, in order, by verb and resource.
type writes struct {
	mu    sync.Mutex
	types map[string][]string
}

func (s *writes) add(r *http.Request) {
	if r.Method == http.MethodGet {
		return
	}
	resource := path.Base(r.URL.Path)
	if r.Method == http.MethodPut {
		resource = path.Base(path.Dir(r.URL.Path))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Method + " " + resource
	s.types[key] = append(s.types[key], r.Header.Get("Content-Type"))
}

func (s *writes) of(key string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.types[key])
}

// expect checks that the content types are these, the last one for all that follow.
func (s *writes) expect(t *testing.T, key string, want ...string) {
	t.Helper()
	got := s.of(key)
	if len(got) < len(want) {
		t.Errorf("%s: %d requests, want at least %d", key, len(got), len(want))
	}
	for i, one := range got {
		if one != want[min(i, len(want)-1)] {
			t.Errorf("%s: the content types are %q, want %q", key, got, want)
			return
		}
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
