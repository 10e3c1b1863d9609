// Package standin writes the output of a faultless simulator by letting upstream decide. It exists to test the judge
// without berthctl. It proves nothing about upstream, because it shares the judge's harness.
package standin

import (
	"maps"
	"math/rand/v2"
	"slices"

	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// Simulate runs a case to its end, breaking ties with a generator of the given seed.
func Simulate(c *judge.Case, seed uint64) (*result.Simulation, error) {
	sim, err := upstream.New(c.Config)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	w := &writer{
		sim: sim, random: rand.New(rand.NewPCG(seed, 0)), gated: map[string]string{}, unserved: map[string]bool{},
		out: &result.Simulation{APIVersion: "berth.dev/v1alpha1", Kind: "SimulationResult", Pods: []result.Attempt{}},
	}
	for _, obj := range c.Objects {
		if err := sim.Load(obj); err != nil {
			return nil, err
		}
	}
	if err := w.untilQuiet(); err != nil {
		return nil, err
	}
	for _, step := range c.Steps {
		for _, obj := range step {
			if err := sim.Step(obj); err != nil {
				return nil, err
			}
		}
		if err := w.retryErrors(); err != nil {
			return nil, err
		}
		if err := w.untilQuiet(); err != nil {
			return nil, err
		}
	}
	return w.out, nil
}

type writer struct {
	sim      *upstream.Simulation
	random   *rand.Rand
	gated    map[string]string // pod -> the text last reported
	unserved map[string]bool
	out      *result.Simulation
}

// untilQuiet reports gates and tries pods until upstream has none left that it tries without waiting.
func (w *writer) untilQuiet() error {
	if err := w.reportHeldBack(); err != nil {
		return err
	}
	for {
		head := w.head(func(q upstream.Queued) bool { return q.Place != upstream.ErrorBackoff })
		if head == "" {
			return nil
		}
		if err := w.attempt(head); err != nil {
			return err
		}
	}
}

// retryErrors retries the pods that failed with an error once after a step, as if the step had taken longer than any
// backoff.
func (w *writer) retryErrors() error {
	for _, q := range w.sim.Queue() {
		if q.Place != upstream.ErrorBackoff {
			continue
		}
		if err := w.attempt(q.Key); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) head(due func(upstream.Queued) bool) string {
	queue := slices.DeleteFunc(w.sim.Queue(), func(q upstream.Queued) bool { return !due(q) })
	if len(queue) == 0 {
		return ""
	}
	best := queue[0]
	for _, q := range queue[1:] {
		if w.sim.MustPrecede(q, best) {
			best = q
		}
	}
	return best.Key
}

func (w *writer) attempt(key string) error {
	o, err := w.sim.Attempt(key, func(o *upstream.Outcome) string { return o.Best[w.random.IntN(len(o.Best))] }, upstream.Wish{})
	if err != nil {
		return err
	}
	if !o.Skipped {
		w.out.Pods = append(w.out.Pods, o.Attempt)
	}
	return nil
}

func (w *writer) reportHeldBack() error {
	gated, err := w.sim.GatedPods()
	if err != nil {
		return err
	}
	for _, pod := range slices.Sorted(maps.Keys(gated)) {
		if text := gated[pod]; w.gated[pod] != text {
			w.gated[pod] = text
			w.out.Pods = append(w.out.Pods, result.Attempt{Pod: pod, Result: result.Gated, Message: text})
		}
	}
	for _, pod := range w.sim.UnservedPods() {
		if !w.unserved[pod] {
			w.unserved[pod] = true
			w.out.Pods = append(w.out.Pods, result.Attempt{Pod: pod, Result: result.Unserved})
		}
	}
	return nil
}
