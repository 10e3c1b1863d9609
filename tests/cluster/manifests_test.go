package cluster

import (
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// notApplied are the folders of manifests whose files kubectl does not apply: Helm, kubeadm, Prometheus, and Grafana read them.
var notApplied = []string{"chart", "static-pod/kubeadm", "prometheus", "grafana"}

// What an operator applies is accepted by a real API server, with all its defaulting, validation and admission.
func TestTheServerAcceptsEveryManifest(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	files := 0
	top := filepath.Join(root, "manifests")
	w.must(filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if relative, _ := filepath.Rel(top, path); slices.Contains(notApplied, filepath.ToSlash(relative)) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		files++
		out, err := w.plane.Kubectl(w.ctx, "apply", "--dry-run=server", "-f", path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		t.Logf("%s", out)
		return nil
	}))
	if files < 5 {
		t.Errorf("%d manifests; where are the others?", files)
	}
}
