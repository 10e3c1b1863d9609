package cluster

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// `berthctl simulate` gives the same result, including every score, for manifests as written and as the API server
// returns them with its defaults. No scheduler runs.
func TestSimulateDefaultsAsTheServerDoes(t *testing.T) {
	w := newWorld(t, time.Minute)
	written := filepath.Join("testdata", "defaults.yaml")
	config := filepath.Join(w.dir, "config.yaml")
	w.must(os.WriteFile(config, []byte(configHead+"profiles:\n- schedulerName: nobody\n"), 0o644))
	w.eventually(10*time.Second, func() error { // a pod is forbidden until the admission knows its PriorityClass
		_, err := w.plane.Kubectl(w.ctx, "apply", "-n", w.ns, "-f", written)
		return err
	})
	defer w.kubectl("delete", "priorityclass/berth-urgent", "runtimeclass/berth-sandbox")
	var read []string
	for _, kinds := range []string{"nodes", "pods", "priorityclasses,runtimeclasses,limitranges"} {
		file := filepath.Join(w.dir, kinds[:4]+".json")
		w.must(os.WriteFile(file, []byte(w.kubectl("get", "-n", w.ns, "-o", "json", kinds)), 0o644))
		read = append(read, "-f", file)
	}
	want := w.simulate(config, read...)
	if len(want) != 8 {
		t.Fatalf("%d attempts, not one for each of eight pods", len(want))
	}
	for pod, got := range w.simulate(config, "-f", written) {
		if !reflect.DeepEqual(got, want[pod]) {
			t.Errorf("pod %s is decided\n%v\nas it is written, and\n%v\nas the API server gives it back", pod, got, want[pod])
		}
	}
}

// simulate returns each pod's attempt by the pod's name; the namespaces of the two inputs differ.
func (w *world) simulate(config string, files ...string) map[string]any {
	w.t.Helper()
	args := []string{"simulate", "--config", config, "-o", "json", "--plugin-dir", filepath.Join(root, "build/dev/lib/berth/plugins")}
	cmd := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), append(args, files...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	w.must(err)
	var result struct {
		Pods []map[string]any `json:"pods"`
	}
	w.must(json.Unmarshal(out, &result))
	attempts := map[string]any{}
	for _, attempt := range result.Pods {
		name := filepath.Base(attempt["pod"].(string))
		delete(attempt, "pod")
		attempts[name] = attempt
	}
	return attempts
}
