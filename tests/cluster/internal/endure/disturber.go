package endure

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"

	"berth.dev/berth/tests/cluster/internal/proxy"
)

// disturber disturbs connections in different ways.
type disturber struct {
	p    *proxy.Proxy
	hang time.Duration
	mu   sync.Mutex
	last string
}

type way struct {
	what string
	do   func(context.Context) error
}

// ways are those with a name that matches this regular expression, in the order of their turns.
func (d *disturber) ways(only string) ([]way, error) {
	matching, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	now := func(do func()) func(context.Context) error {
		return func(context.Context) error {
			do()
			return nil
		}
	}
	all := []way{
		{"all connections are cut", now(func() { d.p.Cut(nil) })},
		{"watches are cut", now(func() { d.p.CutWatches() })},
		{"watches are cut and answered 410", now(func() { d.expire(http.StatusGone) })},
		{"all connections hang, and are cut", d.hangUp},
		{"watches are cut and told of a 410", now(func() { d.expire(http.StatusOK) })},
	}
	all = slices.DeleteFunc(all, func(w way) bool { return !matching.MatchString(w.what) })
	if len(all) == 0 {
		return nil, fmt.Errorf("no disturbance has a name like %q", only)
	}
	return all, nil
}

// expire cuts the watches; the next watch of each kind of objects gets an expired error.
func (d *disturber) expire(status int) {
	var mu sync.Mutex
	told := map[string]bool{}
	d.p.Set(proxy.Rule{Expire: func(r *http.Request) int {
		query := r.URL.Query()
		mu.Lock()
		defer mu.Unlock()
		if !proxy.IsWatch(r) || query.Get("resourceVersion") == "" || query.Get("sendInitialEvents") == "true" || told[r.URL.Path] {
			return 0
		}
		told[r.URL.Path] = true
		return status
	}})
	d.p.CutWatches()
}

func (d *disturber) hangUp(ctx context.Context) error {
	d.p.Hang()
	err := sleep(ctx, d.hang)
	d.p.Cut(nil)
	return err
}

func (d *disturber) did(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = what
}

func (d *disturber) lastOne() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}
