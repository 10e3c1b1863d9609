package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"berth.dev/berth/tests/conformance/internal/mutants"
)

// finding is a disagreement about one mutant.
type finding struct {
	mutant       mutants.Mutant
	kind, detail string
	explained    string // the name of the intended difference, "" if none
}

// counts is the number of agreements.
type counts struct {
	mu                sync.Mutex
	accepted, refused int
}

// compare returns nil if the verdicts agree.
func (c *counts) compare(m mutants.Mutant, ours, theirs verdict) *finding {
	f := finding{mutant: m}
	switch {
	case ours.accepted && !theirs.accepted:
		f.kind, f.detail = "only kube-scheduler refuses", theirs.refusal
	case !ours.accepted && theirs.accepted:
		f.kind, f.detail = "only Berth refuses", ours.refusal
	case ours.accepted && ours.completed != theirs.completed:
		f.kind, f.detail = "completed differently", firstDifference(ours.completed, theirs.completed)
	case !ours.accepted && !placed(ours.refusal):
		f.kind, f.detail = "refused without file and line", ours.refusal+"\nkube-scheduler: "+theirs.refusal
	default:
		c.mu.Lock()
		defer c.mu.Unlock()
		if ours.accepted {
			c.accepted++
		} else {
			c.refused++
		}
		return nil
	}
	f.explained = explain(m, ours, theirs)
	return &f
}

func firstDifference(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d: Berth %q, kube-scheduler %q", i+1, at(a, i), at(b, i))
		}
	}
	return "the same lines"
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no such line)"
}

// report lists disagreements by kind, and returns whether any is unexplained. keep: the folder for their mutants; "":
// none.
func report(out io.Writer, found []finding, c *counts, keep string) (bool, error) {
	explained := map[string]int{}
	unexplained := map[string][]finding{}
	for _, f := range found {
		if f.explained != "" {
			explained[f.explained]++
			continue
		}
		unexplained[f.kind] = append(unexplained[f.kind], f)
		if err := keepMutant(keep, f); err != nil {
			return false, err
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(unexplained)) {
		fmt.Fprintf(out, "%s: %d\n", kind, len(unexplained[kind]))
		for _, f := range unexplained[kind] {
			fmt.Fprintf(out, "  seed %d, %s (%s): %s\n", f.mutant.Seed, filepath.Base(f.mutant.Base),
				strings.Join(f.mutant.Edits, ", "), short(f.detail))
		}
	}
	for _, d := range known() {
		if explained[d.name] > 0 {
			fmt.Fprintf(out, "meant (%s): %d: %s\n", d.name, explained[d.name], d.reason)
		}
	}
	fmt.Fprintf(out, "%d accepted and completed alike, %d refused by both, %d meant differences, %d disagreements\n",
		c.accepted, c.refused, len(found)-sum(unexplained), sum(unexplained))
	return len(unexplained) > 0, nil
}

// short shortens a text to one line, because kube-scheduler's errors may contain the whole file.
func short(text string) string {
	text = strings.ReplaceAll(text, "\n", " | ")
	if len(text) > 400 {
		return text[:200] + " ... " + text[len(text)-200:]
	}
	return text
}

func sum(by map[string][]finding) int {
	n := 0
	for _, found := range by {
		n += len(found)
	}
	return n
}

func keepMutant(dir string, f finding) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", f.mutant.Seed)), []byte(f.mutant.Text), 0o644)
}
