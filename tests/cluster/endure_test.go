package cluster

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/endure"
)

// endurance is the setup of the tests in this file: few nodes, for a short time.
func (w *world) endurance(rate int) endure.Options {
	onlyBerth(w.t, "plugin directory to copy")
	plugins := os.Getenv("BERTH_PLUGIN_DIR")
	if plugins == "" {
		plugins = filepath.Join(root, "build/dev/lib/berth/plugins")
	}
	return endure.Options{
		Plane: w.plane, Root: root, Dir: w.dir, Namespace: w.ns, Plugins: plugins, Nodes: 50, Rate: rate, Log: w.t.Output(),
		TestPlugins: filepath.Join(root, "build/dev/tests/cluster/plugins"),
	}
}

// `endure watches` of cmd/endure with one disturbance of each kind. It is too short to evaluate memory.
func TestConnectionsAreDisturbedInEveryWay(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	found, err := endure.RunWatches(w.ctx, w.endurance(20), endure.WatchesOptions{
		Length: 11 * time.Second, Every: 2 * time.Second, Sample: time.Second, Hang: time.Second,
	})
	w.must(err)
	if found.Print(t.Output()); !found.OK() {
		t.Error("something is wrong: see above")
	}
}

// `endure kills` of cmd/endure.
func TestTheSchedulerIsKilledAgainAndAgain(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	found, err := endure.RunKills(w.ctx, w.endurance(40), 4, uint64(time.Now().UnixNano()))
	w.must(err)
	if found.Print(t.Output()); !found.OK() {
		t.Error("something is wrong: see above")
	}
}

// `endure replicas` of cmd/endure: the leader and the API server are killed, sent SIGTERM, and stopped.
func TestTwoReplicasSurviveWhateverIsKilled(t *testing.T) {
	w := newWorld(t, 5*time.Minute)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	found, err := endure.RunReplicas(w.ctx, w.endurance(100), 8, seed)
	w.must(err)
	if found.Print(t.Output()); !found.OK() {
		t.Error("something is wrong: see above")
	}
}

// `endure configs` of cmd/endure: faults in both documents, broken libraries, and valid changes.
func TestTwoReplicasKeepTheLastGoodPolicy(t *testing.T) {
	w := newWorld(t, 5*time.Minute)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	found, err := endure.RunConfigs(w.ctx, w.endurance(50), endure.ConfigsOptions{
		Changes: 40, Seed: seed, Berthctl: filepath.Join(root, "build/dev/bin/berthctl"),
		Builds: filepath.Join(root, "build/dev/tests/cluster/builds"), Zoo: filepath.Join(root, "build/dev/tests/broken_plugins"),
	})
	w.must(err)
	if found.Print(t.Output()); !found.OK() {
		t.Error("something is wrong: see above")
	}
}
