package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// A server that answers as load-watcher does reports the load of the nodes. The scheduler binds the pod to the node that the pod
// fills up to the target, not to the idle node, and not to the node above the target. The server refuses the first request,
// because the plugin logs a successful answer only after a failure; it repeats the request after 30 seconds.
func TestAPodGoesToTheNodeWhoseLoadIsNextToTheTarget(t *testing.T) {
	onlyBerth(t, "TargetLoadPacking")
	w := newWorld(t, 2*time.Minute)
	var asked atomic.Int32
	watcher := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		switch {
		case in.URL.Path != "/watcher":
			http.NotFound(out, in)
		case asked.Add(1) == 1:
			http.Error(out, "not yet", http.StatusServiceUnavailable)
		default:
			if err := json.NewEncoder(out).Encode(loads(map[string]float64{"idle": 0, "medium": 30, "busy": 80})); err != nil {
				t.Error(err)
			}
		}
	}))
	t.Cleanup(watcher.Close)
	for _, name := range []string{"idle", "medium", "busy"} {
		w.node(name)
	}
	d := w.start(w.profile(fast) + `  plugins:
    multiPoint: {enabled: [{name: TargetLoadPacking}]}
    score: {disabled: [{name: '*'}], enabled: [{name: TargetLoadPacking}]}
  pluginConfig:
  - {name: TargetLoadPacking, args: {targetUtilization: 40, watcherAddress: "` + watcher.URL + `"}}
`)
	log := swaplog.Follow(d.Log())
	w.eventually(time.Minute, func() error {
		lines, err := log.Next()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(lines, func(l swaplog.Line) bool { return l.Message == "Reads the load of nodes again" }) {
			return nil
		}
		return fmt.Errorf("load-watcher was asked %d times, and the plugin has taken no answer", asked.Load())
	})
	w.pod("pod", cpu("10m"))
	if pod := w.bound("pod", 20*time.Second); pod.Spec.NodeName != "medium" {
		t.Errorf("the pod is on node %s", pod.Spec.NodeName)
	}
	w.prove()
}

// loads is load-watcher's answer: the CPU utilization of each node, in percent.
func loads(percent map[string]float64) map[string]any {
	now := time.Now().Unix()
	nodes := map[string]any{}
	for node, value := range percent {
		nodes[node] = map[string]any{"metrics": []any{
			map[string]any{"name": "cpu", "type": "CPU", "operator": "AVG", "rollup": "15m", "value": value}}}
	}
	return map[string]any{"timestamp": now, "source": "test", "data": map[string]any{"NodeMetricsMap": nodes},
		"window": map[string]any{"duration": "15m", "start": now - 900, "end": now}}
}
