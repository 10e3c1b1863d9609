package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/load"
	"berth.dev/berth/tests/cluster/internal/proxy"
)

const (
	pause   = 50 * time.Millisecond // between two pods
	warmUps = 40                    // pods that do not count
)

// latency creates one pod after the other in a cluster without other work, and measures the time from the watch event
// that tells the scheduler of a pod to the request that binds it. Both pass a proxy, whose own time counts too.
func latency(ctx context.Context, o *options, r *run) error {
	client := r.plane.Client
	if err := load.Nodes(ctx, client, o.nodes); err != nil {
		return err
	}
	certificate, key := r.plane.Certificate()
	between, err := proxy.StartHTTP2(r.plane.URL, r.plane.CA(), certificate, key)
	if err != nil {
		return err
	}
	defer func() { _ = between.Stop() }()
	e := &eavesdropper{seen: map[string]time.Time{}, bound: map[string]time.Duration{}}
	between.Set(e.rule())
	d, err := r.launchAs(o, daemon.Options{Name: r.scheduler, URL: between.URL})
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	count := warmUps + int(time.Duration(o.seconds)*time.Second/pause)
	for i := range count {
		pod := load.Pod(fmt.Sprintf("late-%05d", i))
		if _, err := client.CoreV1().Pods(load.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
		time.Sleep(pause)
	}
	time.Sleep(quiet)
	all := e.latencies(warmUps)
	if len(all) != count-warmUps {
		return fmt.Errorf("%d of %d pods were bound", len(all), count-warmUps)
	}
	r.latencies(all)
	return r.usage(d)
}

// eavesdropper notes when a proxy reads the first event of a pod and when it receives the pod's binding.
type eavesdropper struct {
	mu    sync.Mutex
	seen  map[string]time.Time
	bound map[string]time.Duration
}

func (e *eavesdropper) rule() proxy.Rule {
	return proxy.Rule{
		Before: func(r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/binding") {
				e.binds(lateName.FindString(r.URL.Path))
			}
		},
		After: func(r *http.Response) {
			if strings.HasSuffix(r.Request.URL.Path, "/pods") {
				r.Body = &heardBody{ReadCloser: r.Body, hear: e.sees}
			}
		},
	}
}

var lateName = regexp.MustCompile(`late-[0-9]{5}`)

func (e *eavesdropper) sees(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, again := e.seen[name]; !again {
		e.seen[name] = time.Now()
	}
}

func (e *eavesdropper) binds(name string) {
	now := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if seen, ok := e.seen[name]; ok && e.bound[name] == 0 {
		e.bound[name] = now.Sub(seen)
	}
}

// latencies are those of all pods but the first ones.
func (e *eavesdropper) latencies(first int) []time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []time.Duration
	for name, took := range e.bound {
		if name >= fmt.Sprintf("late-%05d", first) {
			all = append(all, took)
		}
	}
	return all
}

// heardBody calls hear for each name in what is read, also for one that two reads share.
type heardBody struct {
	io.ReadCloser
	hear func(name string)
	tail []byte
}

func (b *heardBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	text := append(b.tail, into[:n]...)
	for _, name := range lateName.FindAll(text, -1) {
		b.hear(string(name))
	}
	b.tail = append([]byte(nil), text[max(0, len(text)-len("late-0000")):]...)
	return n, err
}
