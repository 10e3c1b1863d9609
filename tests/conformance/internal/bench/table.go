package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// printTables prints medians: decisions, preemption, growth.
func printTables(out io.Writer, all []*Figures) {
	usual := func(preempts bool) []*Figures {
		return filter(all, func(f *Figures) bool { return f.Nodes == usualNodes && f.Preempts == preempts && !f.Suite })
	}
	printTable(out, "Decisions/s on 5,000 nodes with 5,000 bound pods", usual(false))
	printTable(out, "Preempted pods/s on 5,000 nodes that are full (targets are ratios; latencies are of attempts that preempt)", usual(true))
	printSuite(out, filter(all, func(f *Figures) bool { return f.Suite }))
	grown := filter(all, func(f *Figures) bool {
		return slices.ContainsFunc(all, func(o *Figures) bool { return o.Policy == f.Policy && o.Nodes != usualNodes })
	})
	slices.SortStableFunc(grown, func(a, b *Figures) int { return a.Nodes - b.Nodes })
	slices.SortStableFunc(grown, func(a, b *Figures) int { return order(a) - order(b) })
	printTable(out, "Growth: decisions/s, as many bound pods as nodes", grown)
	for _, policy := range EveryPolicy() {
		if slices.ContainsFunc(all, func(f *Figures) bool { return f.Policy == policy.Name }) {
			fmt.Fprintf(out, "  %s: %s\n", policy.Name, policy.Doc)
		}
	}
}

func order(f *Figures) int {
	return slices.IndexFunc(Policies(), func(p Policy) bool { return p.Name == f.Policy })
}

func filter(all []*Figures, keep func(*Figures) bool) []*Figures {
	var kept []*Figures
	for _, f := range all {
		if keep(f) {
			kept = append(kept, f)
		}
	}
	return kept
}

func printTable(out io.Writer, title string, rows []*Figures) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s; medians of %d runs\n", title, len(rows[0].Runs))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "policy\tnodes\tpods\tberth/s\tkube/s\tratio\ttarget\t\tcycle\tby CPU: berth/s\tkube/s\tratio\tberth p50 us\tp99 us\tkube p50 us\tp99 us\tkube pods\t")
	for _, f := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f\t%.0f\t%.0fx\t%s\t%s\t", f.Policy, f.Nodes, f.Pods, f.Rate(), f.KubeRate(), f.Ratio(), f.target(), f.Verdict())
		fmt.Fprintf(w, "%.0fx\t%.0f\t%.0f\t%.0fx\t", f.CycleRatio(), f.CPURate(), f.KubeCPURate(), f.CPURatio())
		fmt.Fprintf(w, "%.0f\t%.0f\t", f.median(func(r *Run) float64 { return r.Latency.P50 }), f.median(func(r *Run) float64 { return r.Latency.P99 }))
		fmt.Fprintf(w, "%.0f\t%.0f\t%d\t\n", f.median(func(r *Run) float64 { return r.Kube.P50 }), f.median(func(r *Run) float64 { return r.Kube.P99 }), f.KubePods)
	}
	w.Flush()
}

// printSuite is printTable without kube-scheduler.
func printSuite(out io.Writer, rows []*Figures) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(out, "\nDecisions/s with plugins of scheduler-plugins beside the default profile; medians of %d runs\n", len(rows[0].Runs))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "policy\tnodes\tpods\tberth/s\ttarget\t\tby CPU: berth/s\tberth p50 us\tp99 us\t")
	for _, f := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f\t%s\t%s\t%.0f\t", f.Policy, f.Nodes, f.Pods, f.Rate(), f.target(), f.Verdict(), f.CPURate())
		fmt.Fprintf(w, "%.0f\t%.0f\t\n", f.median(func(r *Run) float64 { return r.Latency.P50 }), f.median(func(r *Run) float64 { return r.Latency.P99 }))
	}
	w.Flush()
}

// target returns the target in its printed form.
func (f *Figures) target() string {
	switch {
	case f.Verdict() == "":
		return ""
	case f.Preempts:
		return fmt.Sprintf("%.0fx", f.Target)
	}
	return fmt.Sprintf("%.0f", f.Target)
}
