package bench

import (
	"bytes"
	"strings"
	"testing"
)

func figures(target float64, preempts bool, all ...float64) *Figures {
	f := &Figures{Policy: "plain", Nodes: usualNodes, Pods: 1001, First: 1, Target: target, Preempts: preempts}
	for _, seconds := range all {
		f.Runs = append(f.Runs, &Run{All: Simulated{Seconds: seconds, CPUSeconds: 1.25, Preempted: 601},
			First: Simulated{Seconds: 1, CPUSeconds: 1, Preempted: 1}, Kube: Report{Pods: 1001, Seconds: 10, CPUSeconds: 5, Preempted: 100}})
	}
	return f
}

func TestRates(t *testing.T) {
	for _, c := range []struct {
		name        string
		f           *Figures
		rate, ratio float64
		verdict     string
	}{
		{"the median decides", figures(900, false, 9, 2, 1.5), 1000, 10, "met"},
		{"an even number of runs", figures(5000, false, 1.5, 3.5), 1000 / 1.5, 1000 / 150., "short"},
		{"preempted pods, not decisions", figures(20, true, 2), 600, 60, "met"},
		{"the target of preemption is a ratio", figures(121, true, 2), 600, 60, "short"},
		{"others took the time", figures(120, true, 2), 600, 60, "short (met by CPU time)"},
		{"less than one pod took", figures(5000, false, 0.9), 0, 0, "short"},
		{"no target", figures(0, false, 2), 1000, 10, ""},
	} {
		if got := c.f.Rate(); got != c.rate {
			t.Errorf("%s: rate %v, not %v", c.name, got, c.rate)
		}
		if got := c.f.Ratio(); got < c.ratio*0.999 || got > c.ratio*1.001 {
			t.Errorf("%s: ratio %v, not %v", c.name, got, c.ratio)
		}
		if got := c.f.Verdict(); got != c.verdict {
			t.Errorf("%s: %q, not %q", c.name, got, c.verdict)
		}
	}
}

func TestRatioOfTheCycle(t *testing.T) {
	for _, c := range []struct {
		mean     float64
		preempts bool
		want     float64
	}{{100, false, 100}, {0, false, 0}, {100, true, 0}} { // kube-scheduler needs 10 ms
		f := figures(0, c.preempts, 2)
		f.Runs[0].Latency.Mean = c.mean
		if got := f.CycleRatio(); got < c.want*0.999 || got > c.want*1.001 {
			t.Errorf("mean %v us, preempts %t: %v, not %v", c.mean, c.preempts, got, c.want)
		}
	}
}

func TestTargetsAreOfTheUsualSize(t *testing.T) {
	f := figures(1, false, 2)
	f.Nodes = 1000
	if f.Verdict() != "" {
		t.Errorf("a verdict over %d nodes: %q", f.Nodes, f.Verdict())
	}
}

func TestTables(t *testing.T) {
	small, usual := figures(900, false, 2), figures(900, false, 2)
	small.Nodes = 1000
	var out bytes.Buffer
	printTables(&out, []*Figures{usual, small})
	text := out.String()
	if strings.Count(text, " met ") != 2 || !strings.Contains(text, "Growth") || strings.Contains(text, "Preempted pods/s") {
		t.Errorf("tables:\n%s", text)
	}
	if growth := text[strings.Index(text, "Growth"):]; strings.Index(growth, "1000") > strings.Index(growth, "5000") {
		t.Errorf("growth does not grow:\n%s", growth)
	}
}
