package cases

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Report lists the recorded, transcribed, excluded, and missing cases, and the names that are not upstream's.
type Report struct {
	Lines   []Line
	Unknown []string
}

// Line is one test function.
type Line struct {
	Function
	Recorded    int               // in YAML
	Transcribed map[string]int    // C++ test -> how many it names that are not in YAML
	LeftOut     map[string]string // case -> reason
	Missing     []string
}

// Compare compares upstream's functions with the cases in YAML, the transcribed ones, and the excluded ones.
func Compare(functions []Function, covered Covered, transcribed Transcribed, leftOut []LeftOut) Report {
	var r Report
	known := map[string]*Line{}
	r.Lines = make([]Line, len(functions))
	for i, f := range functions {
		line := &r.Lines[i]
		*line = Line{Function: f, LeftOut: reasons(f, leftOut)}
		known[f.Package+" "+f.Name] = line
		for _, name := range f.Cases {
			switch {
			case covered[f.Package][f.Name].Has(name):
				line.Recorded++
				delete(line.LeftOut, name)
			case line.LeftOut[name] == "":
				line.Missing = append(line.Missing, name)
			}
		}
	}
	r.findTranscribed(transcribed)
	for pkg, tests := range covered {
		for test, names := range tests {
			r.unknown("covered", known, pkg, test, names.UnsortedList())
		}
	}
	for _, l := range leftOut {
		r.unknown("left out", known, l.Package, l.Test, l.Names)
	}
	slices.Sort(r.Unknown)
	return r
}

// findTranscribed looks for missing cases in the C++ tests.
func (r *Report) findTranscribed(transcribed Transcribed) {
	type name struct{ pkg, text string }
	wanted, places := map[name]int{}, map[name][]string{}
	each := func(do func(l *Line, c string, n name)) {
		for i := range r.Lines {
			for _, c := range r.Lines[i].Missing {
				text, _, _ := strings.Cut(c, "#")
				do(&r.Lines[i], c, name{r.Lines[i].Package, text})
			}
		}
	}
	each(func(_ *Line, _ string, n name) { wanted[n]++ })
	for n, cases := range wanted {
		places[n] = transcribed.take(n.pkg, n.text, cases)
	}
	missing := map[*Line][]string{}
	each(func(l *Line, c string, n name) {
		if len(places[n]) == 0 {
			missing[l] = append(missing[l], c)
			return
		}
		if l.Transcribed == nil {
			l.Transcribed = map[string]int{}
		}
		l.Transcribed[places[n][0]]++
		places[n] = places[n][1:]
	})
	for i := range r.Lines {
		r.Lines[i].Missing = missing[&r.Lines[i]]
	}
}

func reasons(f Function, leftOut []LeftOut) map[string]string {
	out := map[string]string{}
	for _, l := range leftOut {
		if l.Package != f.Package || l.Test != f.Name {
			continue
		}
		names := l.Names
		if len(names) == 0 {
			names = f.Cases
		}
		for _, n := range names {
			out[n] = l.Reason
		}
	}
	return out
}

func (r *Report) unknown(what string, known map[string]*Line, pkg, test string, names []string) {
	line := known[pkg+" "+test]
	if line == nil {
		r.Unknown = append(r.Unknown, fmt.Sprintf("%s: %s has no %s", what, pkg, test))
		return
	}
	for _, n := range names {
		if !slices.Contains(line.Cases, n) {
			r.Unknown = append(r.Unknown, fmt.Sprintf("%s: %s %s has no case %q", what, pkg, test, n))
		}
	}
}

// Print writes a line for each function, with the places of the cases that are not in YAML, the excluded and the
// missing ones, and then the sums. It returns whether no case is missing.
func (r Report) Print(w io.Writer) bool {
	var all sums
	packages := []string{}
	byPackage := map[string]*sums{}
	for _, l := range r.Lines {
		if byPackage[l.Package] == nil {
			packages, byPackage[l.Package] = append(packages, l.Package), &sums{}
		}
		one := l.print(w)
		all.add(one)
		byPackage[l.Package].add(one)
	}
	for _, u := range r.Unknown {
		fmt.Fprintln(w, "unknown:", u)
	}
	for _, pkg := range packages {
		fmt.Fprintf(w, "%-20s %v\n", pkg, *byPackage[pkg])
	}
	fmt.Fprintf(w, "%v; %d names unknown to upstream\n", all, len(r.Unknown))
	return all.missing == 0 && len(r.Unknown) == 0
}

func (l Line) print(w io.Writer) sums {
	s := sums{cases: len(l.Cases), recorded: l.Recorded, leftOut: len(l.LeftOut), missing: len(l.Missing)}
	for _, n := range l.Transcribed {
		s.transcribed += n
	}
	fmt.Fprintf(w, "%-20s %-55s %d/%d\n", l.Package, l.Name, s.recorded+s.transcribed, s.cases)
	for _, where := range slices.Sorted(maps.Keys(l.Transcribed)) {
		fmt.Fprintf(w, "    in C++:   %d in %s\n", l.Transcribed[where], where)
	}
	for _, name := range l.Cases {
		if reason := l.LeftOut[name]; reason != "" {
			fmt.Fprintf(w, "    left out: %q: %s\n", name, reason)
		}
	}
	for _, name := range l.Missing {
		fmt.Fprintf(w, "    missing:  %q\n", name)
	}
	return s
}

type sums struct{ cases, recorded, transcribed, leftOut, missing int }

func (s *sums) add(o sums) {
	s.cases += o.cases
	s.recorded += o.recorded
	s.transcribed += o.transcribed
	s.leftOut += o.leftOut
	s.missing += o.missing
}

func (s sums) String() string {
	return fmt.Sprintf("%d cases: %d recorded, %d in C++, %d left out with a reason, %d missing", s.cases, s.recorded, s.transcribed, s.leftOut, s.missing)
}
