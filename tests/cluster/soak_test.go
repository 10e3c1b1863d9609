package cluster

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/soak"
)

// A short run of cmd/soak on few nodes.
func TestAShortSoak(t *testing.T) {
	onlyBerth(t, "hot swap")
	w := newWorld(t, 4*time.Minute)
	o := soak.Options{
		Plane: w.plane, Root: root, Dir: w.dir, Namespace: w.ns, Log: os.Stderr,
		Plugins: os.Getenv("BERTH_PLUGIN_DIR"), Builds: filepath.Join(root, "build/dev/tests/cluster/builds"),
		Nodes: 50, Rate: 20, Warmup: 3 * time.Second, Length: 20 * time.Second, Every: time.Second, Seed: uint64(time.Now().UnixNano()),
	}
	if o.Plugins == "" {
		o.Plugins = filepath.Join(root, "build/dev/lib/berth/plugins")
	}
	t.Logf("seed %d", o.Seed)
	summary, err := soak.Run(w.ctx, o)
	w.must(err)
	if summary.Print(t.Output()); !summary.OK() {
		t.Error("something is wrong: see above")
	}
}
