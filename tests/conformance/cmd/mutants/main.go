// Command mutants creates configurations with random faults from good ones and compares the result of kube-scheduler's own
// loader, defaults, validation and framework for each with that of berthctl: both accept it and complete it to the same text, or
// both refuse it, Berth with file, line and column. Everything else is a disagreement.
//
//	mutants -berthctl B -plugin-dir D [-n 300] [-seed 1] [-keep DIR] BASE...
//
// BASE: file patterns of good configurations. Exit 0: no disagreement but those that known.go explains, 1: others.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"berth.dev/berth/tests/conformance/internal/mutants"
)

type run struct {
	berth berth
	texts map[string]string
	order []string
	dir   string
	count counts
}

func main() {
	n := flag.Int("n", 300, "how many mutants")
	seed := flag.Uint64("seed", 1, "seed of the first; each following one takes the next")
	keep := flag.String("keep", "", "directory for mutants that the sides disagree on")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many to judge at a time")
	var r run
	flag.StringVar(&r.berth.berthctl, "berthctl", "", "the program to judge")
	flag.StringVar(&r.berth.pluginDir, "plugin-dir", "", "the plugin libraries of Berth's tree")
	flag.Parse()
	klog.SetLogger(logr.Discard())
	unexplained, err := r.all(flag.Args(), *n, *seed, *jobs, *keep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if unexplained {
		os.Exit(1)
	}
}

func (r *run) all(patterns []string, n int, seed uint64, jobs int, keep string) (bool, error) {
	var err error
	if r.texts, r.order, err = mutants.Bases(patterns); err != nil {
		return false, err
	}
	if r.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return false, err
	}
	defer os.RemoveAll(r.dir)
	if err := r.checkBases(); err != nil {
		return false, err
	}
	found, err := r.judgeAll(n, seed, jobs)
	if err != nil {
		return false, err
	}
	return report(os.Stdout, found, &r.count, keep)
}

// checkBases requires that both sides agree on the base files; otherwise mutants prove nothing. A file that both
// reject, because it needs feature gates, is not used.
func (r *run) checkBases() error {
	var good []string
	for _, path := range r.order {
		f, err := r.judge(mutants.Mutant{Base: path, Text: r.texts[path]})
		if err != nil {
			return err
		}
		if f != nil {
			return fmt.Errorf("%s itself: %s: %s", path, f.kind, f.detail)
		}
		if r.count.accepted > len(good) {
			good = append(good, path)
		}
	}
	r.order = good
	r.count.accepted, r.count.refused = 0, 0
	if len(good) == 0 {
		return fmt.Errorf("no base is good")
	}
	return nil
}

func (r *run) judgeAll(n int, seed uint64, jobs int) ([]finding, error) {
	var mu sync.Mutex
	var found []finding
	var failed error
	var workers sync.WaitGroup
	seeds := make(chan uint64)
	for range max(jobs, 1) {
		workers.Go(func() {
			for s := range seeds {
				f, err := r.one(s)
				mu.Lock()
				if err != nil && failed == nil {
					failed = err
				} else if f != nil {
					found = append(found, *f)
				}
				mu.Unlock()
			}
		})
	}
	for i := range uint64(n) {
		seeds <- seed + i
	}
	close(seeds)
	workers.Wait()
	slices.SortFunc(found, func(a, b finding) int { return int(int64(a.mutant.Seed) - int64(b.mutant.Seed)) })
	return found, failed
}

func (r *run) one(seed uint64) (*finding, error) {
	m, err := mutants.Mutate(seed, r.texts, r.order)
	if err != nil {
		return nil, err
	}
	return r.judge(m)
}

// judge compares both sides for one mutant; nil: they agree.
func (r *run) judge(m mutants.Mutant) (*finding, error) {
	path := filepath.Join(r.dir, fmt.Sprintf("mutant-%d.yaml", m.Seed))
	if err := os.WriteFile(path, []byte(m.Text), 0o644); err != nil {
		return nil, err
	}
	defer os.Remove(path)
	ours, err := r.berth.ask(path)
	if err != nil {
		return nil, fmt.Errorf("seed %d of %s (%v): %w", m.Seed, m.Base, m.Edits, err)
	}
	return r.count.compare(m, ours, askUpstream(path)), nil
}
