package bench

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// testedNodes is the size of the clusters of the test.
const testedNodes = 1000

// testedPolicy is a policy of the test, with so many pending pods that the two runs of Berth differ by much more than the noise.
type testedPolicy struct {
	name    string
	pending int
}

// tested lists the points of the test; few, and small, because it must end within a minute.
func tested() []testedPolicy {
	return []testedPolicy{{"plain", 4001}, {"hetero", 4001}, {"zone-spread", 4001}, {"host-anti", testedNodes}} // host-anti: a node for each pod
}

// share is what part of the recorded ratio must remain.
const share = 0.5

// least returns the ratio by CPU time that the test requires when r is recorded. If load on the machine made one of the recorded
// ratios too high, the lower one counts.
func (r *Ratio) least() float64 { return share * min(r.Ratio, r.CPURatio) }

// MeasureTested measures the points of the test. As long as a ratio is below what the test requires, because another
// program used the machine or because Berth is slower, the point gets further runs, at most `most`. A nil history requires nothing.
func (s *Suite) MeasureTested(recorded *History, build string, most int) ([]*Ratio, error) {
	var ratios []*Ratio
	for _, t := range tested() {
		policy, err := policyOf(t.name)
		if err != nil {
			return nil, err
		}
		least := 0.0
		if last, _ := recorded.Last(build, t.name, testedNodes); last != nil {
			least = last.least()
		}
		r, err := s.measureTested(&point{policy: policy, size: Size{Nodes: testedNodes, Bound: testedNodes, Pending: t.pending, Few: 161}}, least, most)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		ratios = append(ratios, r)
	}
	return ratios, nil
}

func (s *Suite) measureTested(p *point, least float64, most int) (ratio *Ratio, err error) {
	files, err := p.policy.Write(filepath.Join(s.Dir, p.name()), p.size, s.Seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, files.Remove()) }()
	f := &Figures{Name: p.name(), Policy: p.policy.Name, Nodes: p.size.Nodes, Pods: p.size.Pending, KubePods: p.size.Few, First: p.policy.firstPods()}
	for i := 0; i < s.Runs || (i < most && f.CPURatio() < least); i++ {
		run, err := s.once(p, files)
		if err != nil {
			return nil, err
		}
		f.Runs = append(f.Runs, run)
	}
	return RatioOf(f), nil
}

// Compare prints each ratio beside the recorded one and returns an error for each that is too low, or for which nothing is recorded.
func Compare(out io.Writer, recorded *History, build string, ratios []*Ratio) error {
	var failed []error
	for _, r := range ratios {
		last, record := recorded.Last(build, r.Policy, r.Nodes)
		if last == nil {
			failed = append(failed, fmt.Errorf("no ratio of %s@%d is recorded for the build %s: run scripts/bench ratios", r.Policy, r.Nodes, build))
			continue
		}
		fmt.Fprintf(out, "%s@%d: %.0f times kube-scheduler's rate by CPU time, at least %.0f is required; recorded: %.0f (%s, %s)\n",
			r.Policy, r.Nodes, r.CPURatio, last.least(), last.CPURatio, record.Date, record.Commit)
		if r.CPURatio < last.least() {
			failed = append(failed, fmt.Errorf("%s@%d: the ratio %.0f is below %.0f, half of what %s recorded", r.Policy, r.Nodes, r.CPURatio, last.least(), record.Commit))
		}
	}
	return errors.Join(failed...)
}

// Valid returns an error for each ratio that is not positive: the noise was greater than what was measured.
func (record *Record) Valid() error {
	var failed []error
	for _, r := range record.Points {
		if r.Ratio <= 0 || r.CPURatio <= 0 {
			failed = append(failed, fmt.Errorf("%s@%d: the ratios %.0f and %.0f by CPU time are not positive, so they cannot be recorded: measure again", r.Policy, r.Nodes, r.Ratio, r.CPURatio))
		}
	}
	return errors.Join(failed...)
}
