package cluster

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// A server that answers as load-watcher does says how busy the nodes are; the pod goes to the node that it fills up to the
// target, and not to the idle one, nor to the one that is above the target.
func TestAPodGoesToTheNodeWhoseLoadIsNextToTheTarget(t *testing.T) {
	onlyBerth(t, "TargetLoadPacking")
	w := newWorld(t, time.Minute)
	var asked atomic.Int32
	watcher := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		asked.Add(1)
		if in.URL.Path != "/watcher" {
			http.NotFound(out, in)
			return
		}
		w.must(json.NewEncoder(out).Encode(loads(map[string]float64{"idle": 0, "medium": 30, "busy": 80})))
	}))
	t.Cleanup(watcher.Close)
	for _, name := range []string{"idle", "medium", "busy"} {
		w.node(name)
	}
	w.start(w.profile(fast) + `  plugins:
    multiPoint: {enabled: [{name: TargetLoadPacking}]}
    score: {disabled: [{name: '*'}], enabled: [{name: TargetLoadPacking}]}
  pluginConfig:
  - {name: TargetLoadPacking, args: {targetUtilization: 40, watcherAddress: "` + watcher.URL + `"}}
`)
	w.eventually(20*time.Second, func() error {
		if asked.Load() == 0 {
			return errors.New("nobody has asked load-watcher")
		}
		return nil
	})
	w.pod("pod", cpu("10m"))
	if pod := w.bound("pod", 20*time.Second); pod.Spec.NodeName != "medium" {
		t.Errorf("the pod is on node %s", pod.Spec.NodeName)
	}
	w.prove()
}

// loads is load-watcher's answer: how many percent of each node's CPU are used.
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
