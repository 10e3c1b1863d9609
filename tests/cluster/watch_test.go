package cluster

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

// event is a server-sent event of the decisions.
type event struct{ id, kind, data string }

// stream is an open answer to GET /admin/v1/decisions?watch.
type stream struct {
	w      *world
	events chan event // closed at the end of the stream
	end    context.CancelFunc
}

// watch opens a stream. last is the Last-Event-ID, or "".
func (w *world) watch(c client, url, query, last string) *stream {
	w.t.Helper()
	ctx, end := context.WithCancel(w.ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/admin/v1/decisions?watch"+query, nil)
	w.must(err)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	w.must(err)
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || got != "text/event-stream" {
		body, _ := io.ReadAll(resp.Body)
		w.t.Fatalf("GET %s: %d, %q: %.300s", req.URL, resp.StatusCode, got, body)
	}
	s := &stream{w: w, events: make(chan event, 1000), end: end}
	w.t.Cleanup(end)
	go s.read(resp.Body)
	return s
}

func (s *stream) read(body io.ReadCloser) {
	defer close(s.events)
	defer body.Close()
	var e event
	for lines := bufio.NewScanner(body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "":
			if e.data != "" {
				s.events <- e
			}
			e = event{}
		}
	}
}

// next returns the next event, or fails; an event of kind "" says that the stream has ended.
func (s *stream) next(within time.Duration) event {
	s.w.t.Helper()
	select {
	case e := <-s.events:
		return e
	case <-time.After(within):
		s.w.t.Fatal("the stream has no event")
		return event{}
	}
}

// decision is the next decision about the pod. Earlier ones about others are skipped.
func (s *stream) decision(pod string) (id uint64, result string) {
	s.w.t.Helper()
	for {
		e := s.next(20 * time.Second)
		var one struct {
			ID          uint64
			Pod, Result string
		}
		s.w.must(json.Unmarshal([]byte(e.data), &one))
		if e.kind != "decision" || e.id != fmt.Sprint(one.ID) {
			s.w.t.Fatalf("an event: %+v", e)
		}
		if one.Pod == s.w.ns+"/"+pod {
			return one.ID, one.Result
		}
	}
}

// A scheduler sends each decision when it is made, over plain HTTP and over TLS, and ends its streams when it ends.
func TestDecisionsAreEvents(t *testing.T) {
	onlyBerth(t, "decisions as events")
	w := newWorld(t, 3*time.Minute)
	w.nodes("node", 2)
	access, err := w.plane.Kubeconfig(w.ns+"-access", controlplane.KubeScheduler, "")
	w.must(err)
	d := w.start(w.profile()+withoutPreemption, func(o *daemon.Options) {
		o.Extra = append(o.Extra, "--authentication-kubeconfig="+access, "--authorization-kubeconfig="+access)
	})
	all := w.watch(client{}, d.URL, "", "")
	failures := w.watch(client{}, d.URL, "&result=Unschedulable", "")
	for _, s := range []*stream{all, failures} {
		if first := s.next(20 * time.Second); first.kind != "instance" {
			t.Fatalf("the first event: %+v", first)
		}
	}
	w.pod("placed", cpu("100m"))
	placed, result := all.decision("placed")
	if result != "Scheduled" {
		t.Errorf("placed: %s", result)
	}
	w.pod("huge", cpu("1000"))
	huge, result := failures.decision("huge")
	if result != "Unschedulable" || huge <= placed {
		t.Errorf("huge: %d, %s", huge, result)
	}
	all.end()

	resumed := w.watch(client{}, d.URL, "", strconv.FormatUint(placed-1, 10))
	resumed.next(20 * time.Second) // the instance
	if again, _ := resumed.decision("placed"); again != placed {
		t.Errorf("the decision %d is resumed as %d", placed, again)
	}
	if again, _ := resumed.decision("huge"); again != huge {
		t.Errorf("the decision %d is resumed as %d", huge, again)
	}

	w.expect(client{}, d.Secure+"/admin/v1/decisions?watch", http.StatusForbidden)
	reader := client{token: w.serviceAccountToken("reader")}
	w.kubectl("create", "clusterrole", w.ns, "--verb=get", "--non-resource-url=/admin/v1/*")
	defer w.kubectl("delete", "clusterrole", w.ns)
	w.kubectl("create", "clusterrolebinding", w.ns, "--clusterrole="+w.ns, "--serviceaccount="+w.ns+":reader")
	defer w.kubectl("delete", "clusterrolebinding", w.ns)
	w.expect(reader, d.Secure+"/admin/v1/decisions", http.StatusOK)
	secure := w.watch(reader, d.Secure, "&pod="+w.ns+"/late", "")
	secure.next(20 * time.Second)
	w.pod("late", cpu("100m"))
	if _, result := secure.decision("late"); result != "Scheduled" {
		t.Errorf("late: %s", result)
	}

	w.must(d.Signal(syscall.SIGTERM))
	for _, s := range []*stream{failures, resumed, secure} {
		for e := s.next(10 * time.Second); e.kind != ""; e = s.next(10 * time.Second) {
		}
	}
	w.prove()
}
