package bench

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
)

// Suite measures all policies on both schedulers, in turn and each alone on one core.
type Suite struct {
	Berthctl  string // release build
	Latencies string // tests/bench's policy_latencies, of the same build; "": latencies are not measured
	Judge     string
	Dir       string // where clusters are written, and stay if Keep is set
	Core      int    // the CPU on which all programs run; -1: any
	Runs      int    // of everything
	Seed      uint64
	Keep      bool
	Filter    *regexp.Regexp // filters the names of points
	Out       io.Writer
}

// point is one policy on one size.
type point struct {
	policy Policy
	size   Size
}

func (p *point) name() string { return fmt.Sprintf("%s@%d", p.policy.Name, p.size.Nodes) }

// usualNodes is the size that targets are about.
const usualNodes = 5000

func growthSizes() []int { return []int{1000, usualNodes, 15000, 50000} }

// points lists the measurements: every policy with the usual size, then growth.
func (s *Suite) points() []point {
	var list []point
	add := func(policy Policy, nodes int) {
		p := point{policy: policy, size: Size{Nodes: nodes, Bound: nodes, Pending: 4001, Few: max(31, min(301, 1_500_000/nodes))}}
		if policy.Preempts() {
			p.size.Pending, p.size.Few = 501, 101
		} else if nodes < usualNodes && policy.Name == "host-anti" {
			p.size.Pending = nodes - nodes/10 // each needs a separate node
		}
		if s.Filter.MatchString(p.name()) {
			list = append(list, p)
		}
	}
	for _, policy := range EveryPolicy() {
		add(policy, usualNodes)
	}
	for _, policy := range Policies() {
		for _, nodes := range growthSizes() {
			if policy.Growth && nodes != usualNodes {
				add(policy, nodes)
			}
		}
	}
	return list
}

// Run measures, prints every run as it ends and the tables at the end, and returns the figures. If a point cannot be measured,
// the others still are.
func (s *Suite) Run() ([]*Figures, error) {
	var all []*Figures
	var failed []error
	points := s.points()
	if len(points) == 0 {
		return nil, fmt.Errorf("nothing is called %s", s.Filter)
	}
	for _, p := range points {
		f, err := s.measure(&p)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.name(), err))
			continue
		}
		all = append(all, f)
	}
	printTables(s.Out, all)
	return all, errors.Join(failed...)
}

func (s *Suite) measure(p *point) (*Figures, error) {
	files, err := p.policy.Write(filepath.Join(s.Dir, p.name()), p.size, s.Seed)
	if err != nil {
		return nil, err
	}
	f := &Figures{Name: p.name(), Policy: p.policy.Name, Doc: p.policy.Doc, Target: p.policy.Target, Preempts: p.policy.Preempts(), Suite: p.policy.Suite, First: p.policy.firstPods(),
		Nodes: p.size.Nodes, Pods: p.size.Pending, KubePods: p.size.Few}
	for i := range s.Runs {
		run, err := s.once(p, files)
		if err != nil {
			return nil, err
		}
		f.Runs = append(f.Runs, run)
		run.print(s.Out, fmt.Sprintf("%s run %d", p.name(), i+1))
	}
	if s.Keep {
		return f, nil
	}
	return f, files.Remove()
}
