package endure

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// answer is how long a replica may take to report the result of a change.
const answer = 60 * time.Second

// view is what a replica shows of its policy.
type view struct {
	results map[string]float64 // berth_swap_total
	content string             // the active policy
}

func look(ctx context.Context, d *daemon.Daemon) (view, error) {
	v := view{}
	var err error
	if v.results, err = swaplog.Counters(ctx, d.URL); err != nil {
		return v, err
	}
	v.content, err = contentOf(ctx, d)
	return v, err
}

// after waits for the result of a change, and returns it with the replica's view at that time.
func (v view) after(ctx context.Context, d *daemon.Daemon) (string, view, error) {
	for until := time.Now().Add(answer); time.Now().Before(until); {
		now, err := swaplog.Counters(ctx, d.URL)
		if err != nil {
			return "", v, fmt.Errorf("%w; the end of its log:\n%s", err, d.Tail(20))
		}
		for _, result := range []string{"published", "refused", "unchanged", "rolled_back"} {
			if name := `berth_swap_total{result="` + result + `"}`; now[name] > v.results[name] {
				shown, err := look(ctx, d)
				return result, shown, err
			}
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return "", v, err
		}
	}
	return "", v, fmt.Errorf("no result within %s; the end of the log:\n%s", answer, d.Tail(20))
}

func page(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// contentOf is the configuration and the plugins, without the numbers of generations.
func contentOf(ctx context.Context, d *daemon.Daemon) (string, error) {
	config, err := page(ctx, d.URL+"/configz")
	if err != nil {
		return "", err
	}
	text, err := page(ctx, d.URL+"/admin/v1/plugins")
	if err != nil {
		return "", err
	}
	var list struct {
		Plugins []struct{ Name, Library, Version, Digest, State string }
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return "", err
	}
	var plugins []string
	for _, p := range list.Plugins {
		plugins = append(plugins, fmt.Sprint(p))
	}
	slices.Sort(plugins)
	return config + strings.Join(plugins, "\n"), nil
}
