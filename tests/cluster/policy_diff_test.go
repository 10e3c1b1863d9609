package cluster

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
)

// policyDiff is what this test reads of `berthctl policy diff -o json`.
type policyDiff struct {
	Items []struct {
		Decisions struct{ LookedAt, Moving, Unchanged, OtherGenerations int }
		Plugins   []struct {
			Plugin            string
			Weight, NewWeight *int
		}
		Before struct {
			NodesUsed int
			CPU       struct{ Mean float64 }
		}
	}
}

// policyDiff asks the scheduler what the configuration would have done with its last decisions; the code is berthctl's.
func (w *world) policyDiff(d *daemon.Daemon, config string) (answer policyDiff, said string, code int) {
	w.t.Helper()
	file := filepath.Join(w.dir, "new.yaml")
	w.must(os.WriteFile(file, []byte(config), 0o600))
	address, err := url.Parse(d.URL)
	w.must(err)
	berthctl := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), "policy", "diff", "--config", file,
		"--running", address.Host, "-o", "json", "--limit", "1000")
	var complaints strings.Builder
	berthctl.Stderr = &complaints
	out, err := berthctl.Output()
	if berthctl.ProcessState == nil {
		w.must(err)
	}
	if code = berthctl.ProcessState.ExitCode(); code != 2 {
		w.must(json.Unmarshal(out, &answer))
	}
	return answer, complaints.String(), code
}

func TestPolicyDiffAsksARunningScheduler(t *testing.T) {
	onlyBerth(t, "berthctl policy diff")
	w := newWorld(t, 2*time.Minute)
	w.nodes("node", 4)
	config := w.profile(fast)
	d := w.start(config)
	w.pods("pod", 20, cpu("100m"))
	w.bound("pod-19", 10*time.Second)

	same, said, code := w.policyDiff(d, config)
	if code != 0 || said != "" {
		t.Fatalf("the same configuration: exit code %d, %s", code, said)
	}
	diff := same.Items[0]
	if diff.Decisions.LookedAt == 0 || diff.Decisions.Unchanged != diff.Decisions.LookedAt || diff.Before.NodesUsed == 0 || diff.Before.CPU.Mean <= 0 {
		t.Errorf("the same configuration: %+v", diff)
	}

	changed, said, code := w.policyDiff(d, config+"  plugins: {score: {disabled: [{name: ImageLocality}], enabled: [{name: ImageLocality, weight: 7}]}}\n")
	if code == 2 {
		t.Fatal(said)
	}
	found := false
	for _, one := range changed.Items[0].Plugins {
		found = found || one.Plugin == "ImageLocality" && *one.Weight == 1 && *one.NewWeight == 7
	}
	if !found {
		t.Errorf("the weight of ImageLocality is not 1 and then 7: %+v", changed)
	}

	_, said, code = w.policyDiff(d, config+"  pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]\n")
	if code != 2 || !strings.Contains(said, "the args of NodeResourcesFit differ") {
		t.Errorf("other args: exit code %d, %s", code, said)
	}
	w.prove()
}
