package bench

import (
	"fmt"
	"io"
	"slices"
)

// Figures are all runs at a point.
type Figures struct {
	Name     string  `json:"name"`
	Policy   string  `json:"policy"`
	Doc      string  `json:"doc"`
	Nodes    int     `json:"nodes"`
	Pods     int     `json:"pods"`
	KubePods int     `json:"kube_pods"`
	Target   float64 `json:"target"` // see Policy
	Preempts bool    `json:"preempts"`
	Suite    bool    `json:"suite"` // without kube-scheduler
	First    int     `json:"first"` // pods of the shorter run
	Runs     []*Run  `json:"runs"`
}

// print writes the times of one run.
func (r *Run) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%s: berth %.3f s - %.3f s (CPU %.3f s - %.3f s)", name, r.All.Seconds, r.First.Seconds, r.All.CPUSeconds, r.First.CPUSeconds)
	fmt.Fprintf(out, ", p50 %.0f us, p99 %.0f us", r.Latency.P50, r.Latency.P99)
	if r.Kube.Pods == 0 {
		fmt.Fprintln(out)
		return
	}
	fmt.Fprintf(out, "; kube-scheduler %d pods in %.3f s (CPU %.3f s), p50 %.0f us, p99 %.0f us", r.Kube.Pods, r.Kube.Seconds, r.Kube.CPUSeconds, r.Kube.P50, r.Kube.P99)
	if r.All.Preempted != 0 || r.Kube.Preempted != 0 {
		fmt.Fprintf(out, "; preempted %d - %d and %d", r.All.Preempted, r.First.Preempted, r.Kube.Preempted)
	}
	fmt.Fprintln(out)
}

// median returns the median of value over all runs.
func (f *Figures) median(value func(*Run) float64) float64 {
	values := make([]float64, len(f.Runs))
	for i, run := range f.Runs {
		values[i] = value(run)
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 0 {
		return (values[middle-1] + values[middle]) / 2
	}
	return values[middle]
}

// done is the number of pods placed, or preempted, between the first pod and the last.
func (f *Figures) done() float64 {
	if f.Preempts {
		return f.median(func(r *Run) float64 { return float64(r.All.Preempted - r.First.Preempted) })
	}
	return float64(f.Pods - f.First)
}

// Rate returns decisions, or preempted pods, per second of wall time; 0 if the difference is within the noise.
func (f *Figures) Rate() float64 {
	return rate(f.done(), f.median(func(r *Run) float64 { return r.All.Seconds })-f.median(func(r *Run) float64 { return r.First.Seconds }))
}

// CPURate is Rate per second of CPU time, which other load on the machine affects less.
func (f *Figures) CPURate() float64 {
	return rate(f.done(), f.median(func(r *Run) float64 { return r.All.CPUSeconds })-f.median(func(r *Run) float64 { return r.First.CPUSeconds }))
}

// KubeRate is kube-scheduler's, per second of wall time.
func (f *Figures) KubeRate() float64 {
	return f.median(func(r *Run) float64 { return rate(f.kubeDone(r), r.Kube.Seconds) })
}

// KubeCPURate is KubeRate per second of CPU time.
func (f *Figures) KubeCPURate() float64 {
	return f.median(func(r *Run) float64 { return rate(f.kubeDone(r), r.Kube.CPUSeconds) })
}

func (f *Figures) kubeDone(r *Run) float64 {
	if f.Preempts {
		return float64(r.Kube.Preempted)
	}
	return float64(r.Kube.Pods - 1)
}

// rate is 0 if no time passed.
func rate(done, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return done / seconds
}

// Ratio is Berth's rate divided by kube-scheduler's.
func (f *Figures) Ratio() float64 { return rate(f.Rate(), f.KubeRate()) }

// CycleRatio compares what policy_latencies measures, without reading the pods, with kube-scheduler's cycle; 0 if
// nothing was measured or pods preempt.
func (f *Figures) CycleRatio() float64 {
	if f.Preempts {
		return 0
	}
	return rate(rate(1e6, f.median(func(r *Run) float64 { return r.Latency.Mean })), f.KubeRate())
}

// CPURatio is Ratio by CPU time.
func (f *Figures) CPURatio() float64 { return rate(f.CPURate(), f.KubeCPURate()) }

// Verdict returns whether the target is met, and whether it is met only by CPU time, which is no proof.
func (f *Figures) Verdict() string {
	byWall, byCPU := f.Rate(), f.CPURate()
	if f.Preempts {
		byWall, byCPU = f.Ratio(), f.CPURatio()
	}
	switch {
	case f.Target == 0 || f.Nodes != usualNodes:
		return ""
	case byWall >= f.Target:
		return "met"
	case byCPU >= f.Target:
		return "short (met by CPU time)"
	}
	return "short"
}
