package main

import (
	"fmt"
	"path/filepath"

	"berth.dev/berth/tests/conformance/internal/extender"
	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/minimize"
	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// replayOne judges a case kept on disk.
func (o *options) replayOne() (bool, error) {
	files, err := judge.FilesIn(o.replay)
	if err != nil {
		return false, err
	}
	cfg, err := upstream.LoadConfig(files.Config)
	if err != nil {
		return false, err
	}
	if err := extender.ServeFor(cfg); err != nil {
		return false, err
	}
	if o.result != "" {
		return o.replayResult(files)
	}
	if o.simulator.Path == "" {
		return false, fmt.Errorf("-replay needs -berthctl or -result")
	}
	if o.minimize {
		return o.minimizeOne(files)
	}
	report, _, err := o.simulator.Judge(files, o.seed)
	if err != nil {
		return false, err
	}
	return printReport(report), nil
}

func (o *options) replayResult(files judge.Files) (bool, error) {
	c, err := files.Read()
	if err != nil {
		return false, err
	}
	ours, err := result.ReadFile(o.result)
	if err != nil {
		return false, err
	}
	report, err := judge.Replay(c, ours)
	if err != nil {
		return false, err
	}
	return printReport(report), nil
}

func (o *options) minimizeOne(files judge.Files) (bool, error) {
	dir := filepath.Join(o.replay, "minimal")
	if o.keep != "" {
		dir = o.keep
	}
	_, differences, err := minimize.Minimize(o.simulator.Judge, files, o.seed, dir)
	if err != nil {
		return false, err
	}
	fmt.Println("smallest case found:", dir)
	return printReport(&judge.Report{Differences: differences}), nil
}

func printReport(r *judge.Report) bool {
	for _, d := range r.Differences {
		fmt.Println(d)
	}
	fmt.Printf("%d differences; compared %+v\n", len(r.Differences), r.Stats)
	return len(r.Differences) != 0
}
