// Package run calls the tested simulator and judges its output.
package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"berth.dev/berth/tests/conformance/internal/decisions"
	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/result"
)

// Simulator is the tested program, called as `PATH simulate ...`.
type Simulator struct {
	Path      string
	PluginDir string        // passed on as --plugin-dir unless empty
	Patience  time.Duration // how long one simulation may take
	// The program writes no decision log, as the stand-in. Otherwise the log must say what the output says.
	NoDecisions bool
}

// Call runs one simulation and returns its output. The error contains the program's own error text.
// decisions: the path for the decision log; "": neither a log nor suggestions.
func (s Simulator) Call(f judge.Files, seed uint64, decisions string) ([]byte, error) {
	args := []string{"simulate", "--config", f.Config}
	for _, path := range f.Manifests {
		args = append(args, "-f", path)
	}
	for _, path := range f.Steps {
		args = append(args, "--step", path)
	}
	if decisions != "" {
		args = append(args, "--decision-log", decisions, "--suggest")
	}
	if s.PluginDir != "" {
		args = append(args, "--plugin-dir", s.PluginDir)
	}
	args = append(args, "--seed", strconv.FormatUint(seed, 10), "-o", "json")
	ctx, cancel := context.WithTimeout(context.Background(), s.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.Path, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return out, fmt.Errorf("no answer within %s", s.Patience)
	}
	if err != nil {
		return out, fmt.Errorf("%w: %s", err, lastLines(stderr.String()))
	}
	return out, nil
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 5 {
		lines = lines[len(lines)-5:]
	}
	return strings.Join(lines, " | ")
}

// Judge runs one simulation and replays it. A simulator that fails or prints anything else counts as different. An
// error means that the case cannot be judged, which is not the simulator's fault.
func (s Simulator) Judge(f judge.Files, seed uint64) (*judge.Report, []byte, error) {
	c, err := f.Read()
	if err != nil {
		return nil, nil, err
	}
	logged := ""
	if !s.NoDecisions {
		logged = filepath.Join(filepath.Dir(f.Config), "decisions.jsonl")
		defer os.Remove(logged)
	}
	out, err := s.Call(f, seed, logged)
	if err != nil {
		return failed("exit", err), out, nil
	}
	ours, err := result.Parse(out)
	if err != nil {
		return failed("output", err), out, nil
	}
	if !s.NoDecisions && ours.Pending == nil {
		return failed("output", errors.New("no member \"pending\"")), out, nil
	}
	report, err := judge.Replay(c, ours)
	if err != nil || s.NoDecisions {
		return report, out, err
	}
	differences, nodes, err := decisions.Compare(logged, ours)
	report.Differences = append(report.Differences, differences...)
	report.Stats.Explained = nodes
	return report, out, err
}

func failed(field string, err error) *judge.Report {
	return &judge.Report{
		Stats:       judge.Stats{Clusters: 1},
		Differences: []judge.Difference{{Attempt: -1, Field: field, Ours: err.Error(), Upstream: "a SimulationResult"}},
	}
}

// Keep leaves the simulator's output and the differences beside a case's files.
func Keep(dir string, out []byte, differences []judge.Difference) error {
	if err := os.WriteFile(filepath.Join(dir, "result.json"), out, 0o644); err != nil {
		return err
	}
	var text strings.Builder
	for _, d := range differences {
		fmt.Fprintln(&text, d)
	}
	return os.WriteFile(filepath.Join(dir, "differences.txt"), []byte(text.String()), 0o644)
}
