package cases

import (
	"fmt"
	"io"
	"slices"
)

// Report is what is covered, left out, missing, and named without being upstream's.
type Report struct {
	Lines   []Line
	Unknown []string
}

// Line is one test function.
type Line struct {
	Function
	Covered int
	LeftOut map[string]string // case -> reason
	Missing []string
}

// Compare holds upstream's functions against what is covered and left out.
func Compare(functions []Function, covered Covered, leftOut []LeftOut) Report {
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
				line.Covered++
				delete(line.LeftOut, name)
			case line.LeftOut[name] == "":
				line.Missing = append(line.Missing, name)
			}
		}
	}
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

// Print writes a line for each function, what is left out or missing below it, and the sum. It says whether all is
// accounted for.
func (r Report) Print(w io.Writer) bool {
	total, covered, left, missing := 0, 0, 0, 0
	for _, l := range r.Lines {
		fmt.Fprintf(w, "%-18s %-55s %d/%d\n", l.Package, l.Name, l.Covered, len(l.Cases))
		for _, name := range l.Cases {
			if reason := l.LeftOut[name]; reason != "" {
				fmt.Fprintf(w, "    left out: %q: %s\n", name, reason)
				left++
			}
		}
		for _, name := range l.Missing {
			fmt.Fprintf(w, "    missing:  %q\n", name)
		}
		total, covered, missing = total+len(l.Cases), covered+l.Covered, missing+len(l.Missing)
	}
	for _, u := range r.Unknown {
		fmt.Fprintln(w, "unknown:", u)
	}
	fmt.Fprintf(w, "%d cases: %d covered, %d left out with a reason, %d missing; %d names unknown to upstream\n", total, covered, left, missing, len(r.Unknown))
	return missing == 0 && len(r.Unknown) == 0
}
