package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"berth.dev/berth/tests/conformance/internal/generate"
	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/minimize"
	"berth.dev/berth/tests/conformance/internal/mutate"
	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/run"
)

// printed is the largest number of differences printed for one cluster.
const printed = 8

// verdict is the result for one cluster.
type verdict struct {
	family string
	seed   uint64
	dir    string
	report *judge.Report
	marks  map[string]int // mutation -> 1 if it applied
	missed []string       // mutations that the judge did not notice
	err    error
}

// cluster returns the family and the seed of the i-th cluster: families alternate, seeds increase.
func (o *options) cluster(i int) (family string, seed uint64) {
	families := generate.Families()
	family = families[i%len(families)]
	if o.family != "" {
		family = o.family
	}
	return family, o.seed + uint64(i)
}

func (o *options) writeClusters() error {
	for i := range o.clusters {
		family, seed := o.cluster(i)
		c, err := generate.New(family, seed)
		if err != nil {
			return err
		}
		if _, err := c.Write(filepath.Join(o.generate, fmt.Sprintf("%s-%d", family, seed))); err != nil {
			return err
		}
	}
	return nil
}

// judgeClusters judges all clusters, prints each difference when it is found, and prints a line for each family at the
// end.
func (o *options) judgeClusters() (bool, error) {
	if o.keep == "" {
		dir, err := os.MkdirTemp("", "berth-conformance-")
		if err != nil {
			return false, err
		}
		o.keep = dir
		defer os.Remove(dir) // the file stays unless it is empty
	}
	t := newTally()
	for v := range o.inParallel() {
		if errors.Is(v.err, judge.ErrContradiction) {
			fmt.Printf("UNDECIDED family=%s seed=%d files=%s: %v\n", v.family, v.seed, v.dir, v.err)
			t.undecided++
			continue
		}
		if v.err != nil {
			return true, fmt.Errorf("family %s seed %d (files in %s): %w", v.family, v.seed, v.dir, v.err)
		}
		t.add(v)
		o.print(v)
	}
	wrong := t.print(o)
	if t.undecided > 1+o.clusters/1000 {
		return true, fmt.Errorf("%d clusters undecided: more than one in a thousand", t.undecided)
	}
	return wrong, nil
}

// inParallel judges clusters on several goroutines and yields verdicts in the order of the seeds.
func (o *options) inParallel() <-chan *verdict {
	slots := make(chan chan *verdict, max(o.jobs, 1))
	go func() {
		defer close(slots)
		for i := range o.clusters {
			slot := make(chan *verdict, 1)
			slots <- slot
			go func() { slot <- o.judgeCluster(i) }()
		}
	}()
	verdicts := make(chan *verdict)
	go func() {
		defer close(verdicts)
		for slot := range slots {
			verdicts <- <-slot
		}
	}()
	return verdicts
}

func (o *options) judgeCluster(i int) *verdict {
	v := &verdict{}
	v.family, v.seed = o.cluster(i)
	v.dir = filepath.Join(o.keep, fmt.Sprintf("%s-%d", v.family, v.seed))
	c, err := generate.New(v.family, v.seed)
	if err != nil {
		v.err = err
		return v
	}
	files, err := c.Write(v.dir)
	if err != nil {
		v.err = err
		return v
	}
	var out []byte
	v.report, out, v.err = o.simulator.Judge(files, v.seed)
	switch {
	case v.err != nil:
		v.err = errors.Join(v.err, run.Keep(v.dir, out, nil))
	case len(v.report.Differences) != 0:
		v.err = run.Keep(v.dir, out, v.report.Differences)
		if v.err == nil && o.minimize {
			_, _, v.err = minimize.Minimize(o.simulator.Judge, files, v.seed, filepath.Join(v.dir, "minimal"))
		}
	default:
		if o.mutate {
			v.err = v.mutations(files, out)
		}
		if v.err == nil {
			v.err = os.RemoveAll(v.dir)
		}
	}
	return v
}

// mutations corrupts a correct result in every applicable way and records the corruptions that the judge does not
// report.
func (v *verdict) mutations(files judge.Files, out []byte) error {
	c, err := files.Read()
	if err != nil {
		return err
	}
	clean, err := result.Parse(out)
	if err != nil {
		return err
	}
	v.marks = map[string]int{}
	random := rand.New(rand.NewPCG(v.seed, 7))
	for _, m := range mutate.All() {
		bad := clean.Clone()
		if !m.Apply(bad, random) {
			continue
		}
		v.marks[m.Name]++
		report, err := judge.Replay(c, bad)
		if err != nil {
			return fmt.Errorf("mutation %q: %w", m.Name, err)
		}
		if len(report.Differences) == 0 {
			v.missed = append(v.missed, m.Name)
		}
	}
	return nil
}

func (o *options) print(v *verdict) {
	for _, m := range v.missed {
		fmt.Printf("MISSED family=%s seed=%d mutation: %s\n", v.family, v.seed, m)
	}
	if len(v.report.Differences) == 0 {
		return
	}
	fmt.Printf("DIFFERENCE family=%s seed=%d files=%s\n", v.family, v.seed, v.dir)
	for i, d := range v.report.Differences {
		if i == printed {
			fmt.Printf("  ... and %d more in differences.txt\n", len(v.report.Differences)-i)
			break
		}
		fmt.Println("  " + d.String())
	}
}

// tally sums verdicts by family.
type tally struct {
	mu     sync.Mutex
	stats  map[string]judge.Stats
	differ map[string]int
	marks  map[string]int
	missed int
	// undecided clusters are those in which upstream contradicts the judge or changes its own input.
	undecided int
}

func newTally() *tally {
	return &tally{stats: map[string]judge.Stats{}, differ: map[string]int{}, marks: map[string]int{}}
}

func (t *tally) add(v *verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.stats[v.family]
	s.Add(v.report.Stats)
	t.stats[v.family] = s
	if len(v.report.Differences) != 0 {
		t.differ[v.family]++
	}
	for m, n := range v.marks {
		t.marks[m] += n
	}
	t.missed += len(v.missed)
}

// print writes a line for each family and their sum. It returns whether there is no failure.
func (t *tally) print(o *options) bool {
	var total judge.Stats
	differ := 0
	line := func(name string, s judge.Stats, differ int) {
		fmt.Printf("family=%-9s clusters=%d attempts=%d nodes=%d scores=%d ties=%d retries=%d errors=%d gated=%d unserved=%d preemptions=%d explained=%d differing=%d\n",
			name, s.Clusters, s.Attempts, s.Nodes, s.Scores, s.Ties, s.Retries, s.Errors, s.Gated, s.Unserved, s.Preemptions, s.Explained, differ)
	}
	for _, family := range generate.Families() {
		if s, ok := t.stats[family]; ok {
			line(family, s, t.differ[family])
			total.Add(s)
			differ += t.differ[family]
		}
	}
	line("all", total, differ)
	fmt.Printf("suggestions: %s\n", total.Suggested)
	if t.undecided != 0 {
		fmt.Printf("undecided: %d clusters, in which upstream contradicts the judge or itself\n", t.undecided)
	}
	fmt.Printf("seeds %d to %d\n", o.seed, o.seed+uint64(max(o.clusters, 1))-1)
	wrong := differ != 0
	if o.mutate {
		wrong = t.printMutations() || wrong
	}
	return wrong
}

func (t *tally) printMutations() bool {
	var never []string
	applied := 0
	for _, m := range mutate.All() {
		if t.marks[m.Name] == 0 {
			never = append(never, m.Name)
		}
		applied += t.marks[m.Name]
	}
	slices.Sort(never)
	fmt.Printf("mutations: %d kinds, %d applied, %d unnoticed, never applicable: %q\n", len(mutate.All()), applied, t.missed, never)
	return t.missed != 0 || len(never) != 0
}
