// Package minimize reduces a failing case: it drops steps and objects as long as the same kind of difference remains.
package minimize

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/run"
)

// Judge judges one case: run.Simulator's method of that name.
type Judge func(f judge.Files, seed uint64) (*judge.Report, []byte, error)

// lists holds a case's objects as they are written, one list for the manifests and one for each step.
type lists [][]json.RawMessage

// Minimize writes the smallest case it finds into dir and returns its files and differences. It fails if the case does
// not differ to begin with.
func Minimize(j Judge, f judge.Files, seed uint64, dir string) (judge.Files, []judge.Difference, error) {
	m := &minimizer{judge: j, seed: seed, dir: dir, config: f.Config}
	current, err := read(f)
	if err != nil {
		return f, nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return f, nil, err
	}
	first, err := m.differences(current)
	if err != nil {
		return f, nil, err
	}
	if len(first) == 0 {
		return f, nil, fmt.Errorf("the case shows no difference")
	}
	m.field = first[0].Field
	for {
		smaller := m.dropSteps(current)
		for i := range smaller {
			smaller = m.dropObjects(smaller, i)
		}
		if size(smaller) == size(current) {
			break
		}
		current = smaller
	}
	last, err := m.differences(current)
	return m.files, last, err
}

type minimizer struct {
	judge  Judge
	seed   uint64
	dir    string
	config string
	field  string // the kind of difference that must remain
	files  judge.Files
}

func read(f judge.Files) (lists, error) {
	out := lists{nil}
	for _, path := range f.Manifests {
		items, err := readItems(path)
		if err != nil {
			return nil, err
		}
		out[0] = append(out[0], items...)
	}
	for _, path := range f.Steps {
		items, err := readItems(path)
		if err != nil {
			return nil, err
		}
		out = append(out, items)
	}
	return out, nil
}

func readItems(path string) ([]json.RawMessage, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s is not a JSON List: %w", path, err)
	}
	return list.Items, nil
}

// differences writes the lists over the files in dir and judges them.
func (m *minimizer) differences(l lists) ([]judge.Difference, error) {
	if len(m.files.Steps) > len(l)-1 {
		for _, path := range m.files.Steps[len(l)-1:] {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	config, err := os.ReadFile(m.config)
	if err != nil {
		return nil, err
	}
	m.files = judge.Files{Config: filepath.Join(m.dir, "config.yaml")}
	if err := os.WriteFile(m.files.Config, config, 0o644); err != nil {
		return nil, err
	}
	for i, items := range l {
		path := filepath.Join(m.dir, "manifest-1.json")
		if i > 0 {
			path = filepath.Join(m.dir, fmt.Sprintf("step-%d.json", i))
			m.files.Steps = append(m.files.Steps, path)
		} else {
			m.files.Manifests = []string{path}
		}
		if items == nil {
			items = []json.RawMessage{}
		}
		data, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", " ")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, err
		}
	}
	report, out, err := m.judge(m.files, m.seed)
	if err != nil {
		return nil, err
	}
	return report.Differences, run.Keep(m.dir, out, report.Differences)
}

// fails returns whether the lists still show the same kind of difference. It returns false for lists that cannot be
// judged.
func (m *minimizer) fails(l lists) bool {
	found, err := m.differences(l)
	return err == nil && len(found) != 0 && found[0].Field == m.field
}

func (m *minimizer) dropSteps(l lists) lists {
	for i := len(l) - 1; i > 0; i-- {
		if without := slices.Delete(slices.Clone(l), i, i+1); m.fails(without) {
			l = without
		}
	}
	return l
}

// dropObjects drops runs of objects of one list, long runs first.
func (m *minimizer) dropObjects(l lists, which int) lists {
	for run := len(l[which]); run > 0; run /= 2 {
		for at := 0; at < len(l[which]); {
			without := slices.Clone(l)
			without[which] = slices.Delete(slices.Clone(l[which]), at, min(at+run, len(l[which])))
			if m.fails(without) {
				l = without
			} else {
				at += run
			}
		}
	}
	return l
}

func size(l lists) int {
	n := len(l)
	for _, items := range l {
		n += len(items)
	}
	return n
}
