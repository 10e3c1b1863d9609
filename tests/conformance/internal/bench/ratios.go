package bench

import (
	"fmt"
	"io"
	"path/filepath"
)

// tested lists the points of the test; few, and small, because it must end within a minute.
func tested() []string { return []string{"plain", "hetero", "zone-spread", "host-anti"} }

const testedNodes = 1000

// share is what part of the recorded ratio must remain.
const share = 0.5

// MeasureTested measures the points of the test. As long as a ratio is below what the test requires, because another
// program used the machine or because Berth is slower, the point gets further runs, at most `most`.
func (s *Suite) MeasureTested(recorded *History, build string, most int) ([]*Ratio, error) {
	var ratios []*Ratio
	for _, policy := range Policies() {
		for _, name := range tested() {
			if name != policy.Name {
				continue
			}
			r, err := s.measureTested(policy, recorded, build, most)
			if err != nil {
				return nil, err
			}
			ratios = append(ratios, r)
		}
	}
	return ratios, nil
}

func (s *Suite) measureTested(policy Policy, recorded *History, build string, most int) (*Ratio, error) {
	p := point{policy: policy, size: Size{Nodes: testedNodes, Bound: testedNodes, Pending: 901, Few: 81}}
	files, err := policy.Write(filepath.Join(s.Dir, p.name()), p.size, s.Seed)
	if err != nil {
		return nil, err
	}
	f := &Figures{Name: p.name(), Policy: policy.Name, Nodes: p.size.Nodes, Pods: p.size.Pending, KubePods: p.size.Few, First: policy.firstPods()}
	want := 0.0
	if last, _ := recorded.Last(build, policy.Name, testedNodes); last != nil {
		want = share * last.CPURatio
	}
	for i := 0; i < s.Runs || (i < most && f.CPURatio() < want); i++ {
		run, err := s.once(&p, files)
		if err != nil {
			return nil, err
		}
		f.Runs = append(f.Runs, run)
	}
	return RatioOf(f), files.Remove()
}

// Compare prints each ratio beside the recorded one and returns an error if one is too low, or if nothing is recorded for it.
func Compare(out io.Writer, recorded *History, build string, ratios []*Ratio) error {
	var failed error
	for _, r := range ratios {
		last, record := recorded.Last(build, r.Policy, r.Nodes)
		if last == nil {
			failed = fmt.Errorf("no ratio of %s@%d is recorded for the build %s: run scripts/bench ratios", r.Policy, r.Nodes, build)
			continue
		}
		fmt.Fprintf(out, "%s@%d: %.0f times kube-scheduler's rate by CPU time; recorded: %.0f (%s, %s)\n", r.Policy, r.Nodes, r.CPURatio, last.CPURatio, record.Date, record.Commit)
		if r.CPURatio < share*last.CPURatio {
			failed = fmt.Errorf("%s@%d: the ratio %.0f is less than half of the recorded one, %.0f of %s", r.Policy, r.Nodes, r.CPURatio, last.CPURatio, record.Commit)
		}
	}
	return failed
}
