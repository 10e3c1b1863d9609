package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mutant is one configuration, its base, and the change.
type mutant struct {
	seed  uint64
	base  string
	edits []string
	text  string
}

// Plugins that exist only in tests of host/config/configuration, and the libraries that replace them here.
var stands = strings.NewReplacer("FooMulti", "defalut", "BarMulti", "filteringPod", "FooSort", "PrioritySort", "FooBind", "defalut")

// bases reads the base configurations of kube-scheduler's own version, by path.
func bases(patterns []string) (map[string]string, []string, error) {
	texts := map[string]string{}
	var order []string
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return nil, nil, err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, nil, err
			}
			text, _, _ := strings.Cut(string(data), "\n---\n")
			if !strings.Contains(text, "kubescheduler.config.k8s.io/v1\n") {
				continue
			}
			texts[path] = stands.Replace(text)
			order = append(order, path)
		}
	}
	if len(order) == 0 {
		return nil, nil, fmt.Errorf("no configurations match %s", strings.Join(patterns, " "))
	}
	return texts, order, nil
}

// mutate creates the mutant of a seed; it depends only on the seed and the bases.
func mutate(seed uint64, texts map[string]string, order []string) (mutant, error) {
	r := rand.New(rand.NewPCG(seed, 20261121))
	m := mutant{seed: seed, base: order[r.IntN(len(order))]}
	m.text = texts[m.base]
	if r.IntN(10) < 7 {
		if err := m.editTree(r); err != nil {
			return m, err
		}
	}
	if len(m.edits) == 0 || r.IntN(8) == 0 {
		all := textEdits()
		e := all[r.IntN(len(all))]
		m.edits = append(m.edits, e.name)
		m.text = e.apply(m.text, r)
	}
	return m, nil
}

func (m *mutant) editTree(r *rand.Rand) error {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(m.text), &document); err != nil {
		return fmt.Errorf("%s: %w", m.base, err)
	}
	t := &tree{root: &document, random: r}
	all := treeEdits()
	for wanted := 1 + r.IntN(3); wanted > 0; wanted-- {
		if e := all[r.IntN(len(all))]; e.apply(t) {
			m.edits = append(m.edits, e.name)
		}
	}
	text, err := written(&document)
	if err != nil { // a tag or a style that does not fit the value
		m.edits = nil
		return nil
	}
	m.text = text
	return nil
}

func written(document *yaml.Node) (text string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("cannot be written: %v", fault)
		}
	}()
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(document); err != nil {
		return "", err
	}
	return out.String(), encoder.Close()
}
