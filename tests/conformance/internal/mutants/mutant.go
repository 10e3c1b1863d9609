// Package mutants creates configurations with random faults from good ones. A seed and the bases determine each mutant.
package mutants

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mutant is one configuration, its base, and the change.
type Mutant struct {
	Seed  uint64
	Base  string
	Edits []string
	Text  string
}

// Plugins that exist only in tests of host/config/configuration, and the libraries that replace them here.
var stands = strings.NewReplacer("FooMulti", "defalut", "BarMulti", "filteringPod", "FooSort", "PrioritySort", "FooBind", "defalut")

// Bases reads the base configurations of kube-scheduler's own version, by path.
func Bases(patterns []string) (map[string]string, []string, error) {
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

// Mutate creates the mutant of a seed; it depends only on the seed and the bases.
func Mutate(seed uint64, texts map[string]string, order []string) (Mutant, error) {
	r := rand.New(rand.NewPCG(seed, 20261121))
	m := Mutant{Seed: seed, Base: order[r.IntN(len(order))]}
	m.Text = texts[m.Base]
	if r.IntN(10) < 7 {
		if err := m.editTree(r); err != nil {
			return m, err
		}
	}
	if len(m.Edits) == 0 || r.IntN(8) == 0 {
		all := textEdits()
		e := all[r.IntN(len(all))]
		m.Edits = append(m.Edits, e.name)
		m.Text = e.apply(m.Text, r)
	}
	return m, nil
}

func (m *Mutant) editTree(r *rand.Rand) error {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(m.Text), &document); err != nil {
		return fmt.Errorf("%s: %w", m.Base, err)
	}
	t := &tree{root: &document, random: r}
	all := treeEdits()
	for wanted := 1 + r.IntN(3); wanted > 0; wanted-- {
		if e := all[r.IntN(len(all))]; e.apply(t) {
			m.Edits = append(m.Edits, e.name)
		}
	}
	text, err := written(&document)
	if err != nil { // a tag or a style that does not fit the value
		m.Edits = nil
		return nil
	}
	m.Text = text
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
