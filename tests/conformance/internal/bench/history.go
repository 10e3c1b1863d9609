package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// History contains the ratios of Berth and kube-scheduler that were recorded, the oldest first.
type History struct {
	Records []*Record `json:"records"`
}

// Record contains the ratios of one run of one build.
type Record struct {
	Date   string   `json:"date"`   // "2026-11-26"
	Commit string   `json:"commit"` // short
	Build  string   `json:"build"`  // the CMake preset: "release", or "dev" of the test that compares ratios
	Points []*Ratio `json:"points"`
}

// Ratio is the speedup of Berth over kube-scheduler, in pods placed per second, in the same run on the same core.
type Ratio struct {
	Policy     string  `json:"policy"`
	Nodes      int     `json:"nodes"`
	Ratio      float64 `json:"ratio"`
	CPURatio   float64 `json:"cpu_ratio"`             // by CPU time, which other load on the machine affects less
	Cycle      float64 `json:"cycle_ratio,omitempty"` // of decisions and bindings alone
	Berth      float64 `json:"berth_per_second,omitempty"`
	Kube       float64 `json:"kube_per_second,omitempty"`
	P50        float64 `json:"berth_p50_us,omitempty"`
	P99        float64 `json:"berth_p99_us,omitempty"`
	KubeMedian float64 `json:"kube_p50_us,omitempty"`
}

// targetRatios are about usualNodes.
func targetRatios() map[string]float64 {
	return map[string]float64{"plain": 600, "owned": 600, "hetero": 250, "zone-spread": 300, "host-anti": 300, "zone-affinity": 300,
		"preferred-anti": 300, "preempt-10": 20, "preempt-30": 20}
}

// TargetRatio returns 0 if there is none.
func (r *Ratio) TargetRatio() float64 {
	if r.Nodes != usualNodes {
		return 0
	}
	return targetRatios()[r.Policy]
}

// RatioOf returns the medians of the figures. Not for figures without kube-scheduler.
func RatioOf(f *Figures) *Ratio {
	return &Ratio{Policy: f.Policy, Nodes: f.Nodes, Ratio: f.Ratio(), CPURatio: f.CPURatio(), Cycle: f.CycleRatio(), Berth: f.Rate(), Kube: f.KubeRate(),
		P50:        f.median(func(r *Run) float64 { return r.Latency.P50 }),
		P99:        f.median(func(r *Run) float64 { return r.Latency.P99 }),
		KubeMedian: f.median(func(r *Run) float64 { return r.Kube.P50 })}
}

// ReadHistory returns an empty history if there is no such file.
func ReadHistory(path string) (*History, error) {
	h := &History{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err == nil {
		err = json.Unmarshal(data, h)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}

// Write replaces the file.
func (h *History) Write(path string) error {
	data, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// Add appends a record. A record of the same commit and build is replaced at its points.
func (h *History) Add(record *Record) {
	for _, one := range h.Records {
		if one.Commit != record.Commit || one.Build != record.Build {
			continue
		}
		one.Date = record.Date
		one.Points = slices.DeleteFunc(one.Points, func(old *Ratio) bool {
			return slices.ContainsFunc(record.Points, func(r *Ratio) bool { return r.isOf(old.Policy, old.Nodes) })
		})
		one.Points = append(one.Points, record.Points...)
		return
	}
	h.Records = append(h.Records, record)
}

func (r *Ratio) isOf(policy string, nodes int) bool { return r.Policy == policy && r.Nodes == nodes }

// Last returns the newest ratio of a build at a point, with its record; nil if there is none, as for a nil history.
func (h *History) Last(build, policy string, nodes int) (*Ratio, *Record) {
	if h == nil {
		return nil, nil
	}
	for _, record := range slices.Backward(h.Records) {
		for _, r := range record.Points {
			if record.Build == build && r.isOf(policy, nodes) {
				return r, record
			}
		}
	}
	return nil, nil
}

// WritePage writes the page of the documentation.
func (h *History) WritePage(out io.Writer) error {
	var page strings.Builder
	page.WriteString(pageHead)
	h.writeTable(&page, "release", "| Policy | Nodes | Speedup | By CPU time | Of the cycle | Target | Berth's p50, p99 | Date | Commit |", releaseCells)
	page.WriteString(pageTest)
	h.writeTable(&page, "dev", "| Policy | Nodes | By wall time | By CPU time | Required | Date | Commit |", testCells)
	page.WriteString(pageHistory)
	h.writeHistory(&page)
	_, err := io.WriteString(out, page.String())
	return err
}

// writeTable writes the last ratios of a build: policy, nodes, what cells returns, date, and commit.
func (h *History) writeTable(page *strings.Builder, build, header string, cells func(*Ratio) string) {
	points := h.points(build)
	if len(points) == 0 {
		page.WriteString("Nothing is recorded yet.\n")
		return
	}
	fmt.Fprintf(page, "%s\n|%s\n", header, strings.Repeat("---|", strings.Count(header, "|")-1))
	for _, p := range points {
		r, record := h.Last(build, p.Policy, p.Nodes)
		fmt.Fprintf(page, "| %s | %d | %s | %s | %s |\n", r.Policy, r.Nodes, cells(r), record.Date, record.Commit)
	}
}

func releaseCells(r *Ratio) string {
	target, latencies, cycle := "", "", ""
	if t := r.TargetRatio(); t != 0 {
		target = fmt.Sprintf("%.0f", t)
	}
	if r.Cycle != 0 {
		cycle = fmt.Sprintf("%.0f", r.Cycle)
	}
	if r.P50 != 0 {
		latencies = fmt.Sprintf("%.0f µs, %.0f µs", r.P50, r.P99)
	}
	return fmt.Sprintf("%.0f | %.0f | %s | %s | %s", r.Ratio, r.CPURatio, cycle, target, latencies)
}

func testCells(r *Ratio) string {
	return fmt.Sprintf("%.0f | %.0f | %.0f", r.Ratio, r.CPURatio, r.least())
}

// writeHistory lists the ratios of each policy over the release builds, the newest first.
func (h *History) writeHistory(page *strings.Builder) {
	points := h.points("release")
	if len(points) == 0 {
		page.WriteString("Nothing is recorded yet.\n")
		return
	}
	page.WriteString("| Policy | Nodes | Speedups |\n|---|---|---|\n")
	for _, p := range points {
		var ratios []string
		for _, record := range slices.Backward(h.Records) {
			for _, r := range record.Points {
				if record.Build == "release" && r.isOf(p.Policy, p.Nodes) {
					ratios = append(ratios, fmt.Sprintf("%.0f (%s)", r.Ratio, record.Commit))
				}
			}
		}
		fmt.Fprintf(page, "| %s | %d | %s |\n", p.Policy, p.Nodes, strings.Join(ratios, ", "))
	}
}

// points lists what was ever measured, in the order of Policies.
func (h *History) points(build string) []*Ratio {
	var all []*Ratio
	for _, record := range h.Records {
		for _, r := range record.Points {
			if record.Build == build && !slices.ContainsFunc(all, func(o *Ratio) bool { return o.isOf(r.Policy, r.Nodes) }) {
				all = append(all, r)
			}
		}
	}
	place := func(r *Ratio) int {
		return slices.IndexFunc(Policies(), func(p Policy) bool { return p.Name == r.Policy })
	}
	slices.SortStableFunc(all, func(a, b *Ratio) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return a.Nodes - b.Nodes
	})
	return all
}
