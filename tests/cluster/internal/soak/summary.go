package soak

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"berth.dev/berth/tests/cluster/internal/stream"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// Summary is what the soak found.
type Summary struct {
	Pods, Bound, Unbound int
	Swaps, Generations   int
	Moved, Overcommitted []string
	WrongDecisions       []string
	Wrong                []string // any other error

	kinds     map[string]*kind // of swaps, by what they change
	decisions map[uint64]int   // decisions by generation
	byKind    map[string]int   // decisions by kind of pod
	versions  []int            // of the library that were active
	memory    memory
	budget    int64
}

// kind has the results of all swaps of one kind.
type kind struct {
	n     int
	ends  map[string]int // by what the log said
	took  []time.Duration
	steps map[string][]time.Duration
}

func (s *Summary) wrong(format string, args ...any) {
	s.Wrong = append(s.Wrong, fmt.Sprintf(format, args...))
}

func (s *Summary) wrongDecision(format string, args ...any) {
	s.WrongDecisions = append(s.WrongDecisions, fmt.Sprintf(format, args...))
}

func (s *Summary) decided(pod string, generation uint64) {
	if s.decisions == nil {
		s.decisions, s.byKind = map[uint64]int{}, map[string]int{}
	}
	s.decisions[generation]++
	s.byKind[stream.KindOf(pod)]++
}

// tell records a swap.
func (s *Summary) tell(one *swap) {
	k := s.kinds[one.what]
	if k == nil {
		k = &kind{ends: map[string]int{}, steps: map[string][]time.Duration{}}
		s.kinds[one.what] = k
	}
	k.n++
	k.ends[one.line.Message]++
	k.took = append(k.took, one.line.Time.Sub(one.began))
	for step := range strings.FieldsSeq(one.line.Values["steps"]) {
		name, took, _ := strings.Cut(step, "=")
		if d, err := time.ParseDuration(took); err == nil {
			k.steps[name] = append(k.steps[name], d)
		}
	}
	if one.wants == swaplog.Published && !slices.Contains(s.versions, one.then.version) {
		s.versions = append(s.versions, one.then.version)
	}
}

// OK is true when nothing is wrong.
func (s *Summary) OK() bool {
	return len(s.Moved)+len(s.Overcommitted)+len(s.WrongDecisions)+len(s.Wrong)+s.Unbound == 0 && s.memory.growth() <= s.budget
}

// Print writes it in a readable form.
func (s *Summary) Print(w io.Writer) {
	fmt.Fprintf(w, "pods        %d made, %d bound, %d never; by kind %v\n", s.Pods, s.Bound, s.Pods-s.Bound, s.byKind)
	fmt.Fprintf(w, "decisions   of %d of %d generations, %d of them wrong\n", len(s.decisions), s.Generations, len(s.WrongDecisions))
	fmt.Fprintf(w, "history     %d pods left their node or had two, %d overcommitted nodes\n", len(s.Moved), len(s.Overcommitted))
	fmt.Fprintf(w, "swaps       %d; from the change of the file to the line in the log, median and most:\n", s.Swaps)
	all := &kind{steps: map[string][]time.Duration{}}
	for _, what := range slices.Sorted(maps.Keys(s.kinds)) {
		k := s.kinds[what]
		ends := ""
		for _, end := range slices.Sorted(maps.Keys(k.ends)) {
			ends += fmt.Sprintf("%d %s  ", k.ends[end], short[end])
		}
		fmt.Fprintf(w, "  %-34s %4d  %6s %6s  %s\n", what, k.n, median(k.took), most(k.took), ends)
		all.took = append(all.took, k.took...)
		for step, took := range k.steps {
			all.steps[step] = append(all.steps[step], took...)
		}
	}
	if len(all.took) > 0 {
		fmt.Fprintf(w, "  %-34s %4d  %6s %6s\n", "all", len(all.took), median(all.took), most(all.took))
	}
	for _, step := range slices.Sorted(maps.Keys(all.steps)) {
		fmt.Fprintf(w, "    %-32s %4d  %6s %6s  of those active\n", step, len(all.steps[step]), median(all.steps[step]), most(all.steps[step]))
	}
	s.memory.print(w, s.Generations, s.budget)
	findings(w, "moved pods", s.Moved)
	findings(w, "overcommitted nodes", s.Overcommitted)
	findings(w, "wrong decisions", s.WrongDecisions)
	findings(w, "other", s.Wrong)
	if s.OK() {
		fmt.Fprintln(w, "nothing is wrong")
	} else {
		fmt.Fprintln(w, "SOMETHING IS WRONG")
	}
}

var short = map[string]string{swaplog.Published: "published", swaplog.Rejected: "rejected", swaplog.Unchanged: "unchanged", swaplog.RolledBack: "rolled back"}

func findings(w io.Writer, what string, list []string) {
	for i, one := range list {
		if i == 20 {
			fmt.Fprintf(w, "%s: %d more\n", what, len(list)-i)
			return
		}
		fmt.Fprintf(w, "%s: %s\n", what, one)
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2].Round(time.Millisecond)
}

func most(all []time.Duration) time.Duration { return slices.Max(all).Round(time.Millisecond) }
