package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime"

	"berth.dev/berth/tests/conformance/internal/judge"
)

// Write puts the cluster's files into a directory: config.yaml, one or two manifests, and one file for each step.
func (c *Cluster) Write(dir string) (judge.Files, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return judge.Files{}, err
	}
	config, err := YAML(c.Config)
	if err != nil {
		return judge.Files{}, err
	}
	f := judge.Files{Config: filepath.Join(dir, "config.yaml")}
	if err := os.WriteFile(f.Config, config, 0o644); err != nil {
		return f, err
	}
	w := &fileWriter{dir: dir, spelling: &speller{random: rand.New(rand.NewPCG(c.Seed, 1)), often: usually}, respelt: c.respelt}
	if c.Family == "resources" {
		w.spelling.often = always / 2
	}
	parts := [][]runtime.Object{c.Objects}
	if c.Seed%3 == 0 && len(c.Objects) > 1 {
		half := len(c.Objects) / 2
		parts = [][]runtime.Object{c.Objects[:half], c.Objects[half:]}
	}
	for i, part := range parts {
		f.Manifests = append(f.Manifests, w.list(fmt.Sprintf("manifest-%d.json", i+1), part))
	}
	for i, step := range c.Steps {
		f.Steps = append(f.Steps, w.list(fmt.Sprintf("step-%d.json", i+1), step))
	}
	return f, w.err
}

// WriteList writes objects as one JSON List, with quantities in the API server's notation.
func WriteList(path string, objs []runtime.Object) error {
	w := &fileWriter{dir: filepath.Dir(path)}
	w.list(filepath.Base(path), objs)
	return w.err
}

// fileWriter writes Lists and keeps the first error.
type fileWriter struct {
	dir      string
	spelling *speller // of quantities; nil: unchanged
	respelt  map[runtime.Object]bool
	err      error
}

func (w *fileWriter) list(name string, objs []runtime.Object) string {
	path := filepath.Join(w.dir, name)
	items := make([]any, 0, len(objs))
	for _, obj := range objs {
		data, err := json.Marshal(obj)
		if err != nil {
			w.keep(err)
			return path
		}
		var item any
		w.keep(json.Unmarshal(data, &item))
		switch {
		case w.spelling == nil:
		case w.respelt[obj]:
			w.spelling.withChance(always).respell(item)
		default:
			w.spelling.respell(item)
		}
		items = append(items, item)
	}
	data, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}, "", " ")
	w.keep(err)
	w.keep(os.WriteFile(path, data, 0o644))
	return path
}

func (w *fileWriter) keep(err error) {
	if w.err == nil {
		w.err = err
	}
}
