package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
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
	w := &fileWriter{dir: dir, random: rand.New(rand.NewPCG(c.Seed, 1))}
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

// WriteList writes objects as one JSON List, quantities spelt as the API server spells them.
func WriteList(path string, objs []runtime.Object) error {
	w := &fileWriter{dir: filepath.Dir(path)}
	w.list(filepath.Base(path), objs)
	return w.err
}

// fileWriter writes Lists and keeps the first error.
type fileWriter struct {
	dir    string
	random *rand.Rand // respells quantities; nil leaves them alone
	err    error
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
		if w.random != nil {
			w.respell(item)
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

var quantityMaps = []string{"requests", "limits", "allocatable", "capacity", "overhead", "allocatedResources"}

// respell writes some quantities in another way that means the same: users and controllers do not write the canonical
// one.
func (w *fileWriter) respell(value any) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			w.respell(e)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if list, ok := v[k].(map[string]any); ok && slices.Contains(quantityMaps, k) {
				w.respellList(list)
			} else {
				w.respell(v[k])
			}
		}
	}
}

func (w *fileWriter) respellList(list map[string]any) {
	keys := make([]string, 0, len(list))
	for k := range list {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if text, ok := list[k].(string); ok && w.random.Float64() < 0.15 {
			list[k] = w.otherSpelling(text)
		}
	}
}

// otherSpelling tries one change and keeps it if the value stays the same.
func (w *fileWriter) otherSpelling(text string) string {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return text
	}
	digits := strings.TrimRight(text, "numkKMGTPEi")
	suffix := text[len(digits):]
	spellings := []string{
		"+" + text, "0" + text, digits + ".0" + suffix, digits + "." + suffix, digits + "000m", digits + "e0", digits + "E0", digits + "0e-1",
		fmt.Sprint(q.Value()), fmt.Sprintf("%dm", q.MilliValue()), fmt.Sprintf("%de-3", q.MilliValue()), digits + "000000000n",
		fmt.Sprintf("%d.%03d", q.MilliValue()/1000, q.MilliValue()%1000), "." + strings.TrimPrefix(fmt.Sprintf("%d", q.MilliValue()), "-"),
	}
	other := spellings[w.random.IntN(len(spellings))]
	if o, err := resource.ParseQuantity(other); err != nil || o.Cmp(q) != 0 {
		return text
	}
	return other
}
