package cluster

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/process"
)

// ask returns the status and text of one of the scheduler's pages.
func (w *world) ask(method, url string) (int, string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.ctx, method, url, nil)
	w.must(err)
	resp, err := process.Trusting.Do(req)
	w.must(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	w.must(err)
	return resp.StatusCode, string(body)
}

func TestTheSchedulerTellsOfItself(t *testing.T) {
	onlyBerth(t, "page that everybody may read")
	w := newWorld(t, time.Minute)
	w.node("node")
	d := w.start(w.profile())
	w.pod("pod")
	w.bound("pod", 10*time.Second)
	for path, want := range map[string]string{
		"/healthz":          "ok",
		"/livez":            "ok",
		"/readyz":           "ok",
		"/metrics":          "scheduler_schedule_attempts_total",
		"/configz":          `"schedulerName":"` + w.ns + `"`,
		"/admin/v1/plugins": "NodeResourcesFit",
	} {
		// The API server may show the binding before the scheduler has counted the attempt.
		w.eventually(10*time.Second, func() error {
			status, text := w.ask(http.MethodGet, d.URL+path)
			if status != http.StatusOK || !strings.Contains(strings.ReplaceAll(text, `": "`, `":"`), want) {
				return fmt.Errorf("GET %s: %d, without %s: %.500s", path, status, want, text)
			}
			return nil
		})
		if status, _ := w.ask(http.MethodDelete, d.URL+path); status != http.StatusMethodNotAllowed {
			t.Errorf("DELETE %s: %d", path, status)
		}
	}
	if status, _ := w.ask(http.MethodPost, d.URL+"/admin/v1/plugins"); status != http.StatusMethodNotAllowed {
		t.Errorf("POST /admin/v1/plugins: %d", status)
	}
	if status, _ := w.ask(http.MethodGet, d.URL+"/nothing"); status != http.StatusNotFound {
		t.Errorf("GET /nothing: %d", status)
	}
}
