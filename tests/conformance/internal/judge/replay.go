package judge

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// ErrContradiction means that the judge's walk and upstream's own cycle disagree, or that upstream changes its own
// input: the cluster is undecided.
var ErrContradiction = errors.New("upstream contradicts the judge or itself")

// Stats counts the compared items.
type Stats struct {
	Clusters, Attempts, Nodes, Scores, Ties, Retries, Errors, Gated, Unserved, Preemptions int
	Explained                                                                              int // nodes whose verdicts and scores in the decision log were compared
	Suggested                                                                              Suggested
}

// Add adds the counts of another Stats.
func (s *Stats) Add(o Stats) {
	s.Clusters += o.Clusters
	s.Attempts += o.Attempts
	s.Nodes += o.Nodes
	s.Scores += o.Scores
	s.Ties += o.Ties
	s.Retries += o.Retries
	s.Errors += o.Errors
	s.Gated += o.Gated
	s.Unserved += o.Unserved
	s.Preemptions += o.Preemptions
	s.Explained += o.Explained
	s.Suggested.Add(o.Suggested)
}

// Report is the verdict on one case.
type Report struct {
	Stats       Stats
	Differences []Difference
}

// Replay follows the simulator's attempts one by one on upstream's scheduler, which binds each pod to the node that the
// simulator chose. It stops at the first attempt that differs, because the two clusters differ from there on. An error
// means that the case cannot be judged; upstream may even panic.
func Replay(c *Case, ours *result.Simulation) (report *Report, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			report, err = nil, fmt.Errorf("panic while judging: %v\n%s", cause, debug.Stack())
		}
	}()
	sim, err := upstream.New(c.Config)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	p := &player{sim: sim, steps: c.Steps, report: &Report{Stats: Stats{Clusters: 1}}, tried: map[string]bool{}, gates: newGateBook()}
	for _, obj := range c.Objects {
		if err := sim.Load(obj); err != nil {
			return nil, err
		}
	}
	if err := p.playAll(ours.Pods); err != nil {
		return nil, err
	}
	if ours.Pending != nil && len(p.report.Differences) == 0 {
		if err := p.suggestions(ours.Pending); err != nil {
			return nil, err
		}
	}
	if spoilt := sim.Spoilt(); len(spoilt) != 0 {
		return nil, fmt.Errorf("%w: it writes to what it was handed: %s", ErrContradiction, strings.Join(spoilt, ", "))
	}
	return p.report, nil
}

// player is one running replay.
type player struct {
	sim    *upstream.Simulation
	steps  [][]runtime.Object
	report *Report
	tried  map[string]bool // pods upstream made an attempt for
	gates  *gateBook
	index  int // of the current attempt of the simulator
}

func (p *player) differ(d ...Difference) {
	for i := range d {
		d[i].Attempt = p.index
	}
	p.report.Differences = append(p.report.Differences, d...)
}

// playAll compares the simulator's entries up to the first difference. If there is none, it looks for missing entries.
func (p *player) playAll(ours []result.Attempt) error {
	if err := p.settle(); err != nil {
		return err
	}
	for i := range ours {
		p.index = i
		if err := p.play(&ours[i]); err != nil || len(p.report.Differences) != 0 {
			return err
		}
	}
	p.index = -1
	return p.finish()
}

// settle brings upstream to the state before the simulator's next attempt after objects changed. It records gated and
// unserved pods, and lets upstream drop pods that are being deleted, for which it makes no attempt.
func (p *player) settle() error {
	gated, err := p.sim.GatedPods()
	if err != nil {
		return err
	}
	p.gates.observe(gated, p.sim.UnservedPods())
	for _, q := range p.sim.Queue() {
		if !q.Deleting() {
			continue
		}
		if _, err := p.sim.Attempt(q.Key, nil, upstream.Wish{}); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) step() error {
	objs := p.steps[0]
	p.steps = p.steps[1:]
	for _, obj := range objs {
		if err := p.sim.Step(obj); err != nil {
			return err
		}
	}
	return p.settle()
}

// play compares one entry of the simulator's list.
func (p *player) play(ours *result.Attempt) error {
	switch ours.Result {
	case result.Gated:
		p.report.Stats.Gated++
		p.differ(p.gates.gated(ours, p.tried[ours.Pod])...)
		return nil
	case result.Unserved:
		p.report.Stats.Unserved++
		p.differ(p.gates.unserved(ours)...)
		return nil
	}
	for {
		queue := p.sim.Queue()
		pod, queued := find(queue, ours.Pod)
		busy := anyDue(queue)
		if queued && (busy || len(p.steps) == 0 || pod.Place != upstream.ErrorBackoff) {
			return p.attempt(queue, pod, ours)
		}
		// Upstream always retries a pod that failed with an error after its backoff. Only the outcome shows whether that
		// happened before or after the next step.
		if queued {
			now, err := p.sim.Evaluate(ours.Pod)
			if err != nil {
				return err
			}
			if agrees(now, ours) {
				return p.attempt(queue, pod, ours)
			}
		}
		if busy || len(p.steps) == 0 {
			p.differ(Difference{Pod: ours.Pod, Field: "attempt", Ours: "tried", Upstream: "not due; in the queue: " + keys(queue)})
			return nil
		}
		if err := p.step(); err != nil {
			return err
		}
	}
}

// agrees compares without PostFilter's additions, which are unknown before the attempt.
func agrees(now *upstream.Outcome, ours *result.Attempt) bool {
	before := *ours
	before.NominatedNode, before.Victims = now.NominatedNode, nil
	for _, message := range now.Messages {
		if strings.HasPrefix(ours.Message, message+" ") {
			before.Message = message
		}
	}
	return len(Compare(now, &before)) == 0
}

// attempt makes upstream try the pod and compares.
func (p *player) attempt(queue []upstream.Queued, pod upstream.Queued, ours *result.Attempt) error {
	for _, other := range queue {
		if p.sim.MustPrecede(other, pod) {
			p.differ(Difference{Pod: ours.Pod, Field: "order", Ours: ours.Pod + " first", Upstream: other.Key + " first"})
			return nil
		}
	}
	wish := upstream.Wish{Node: ours.NominatedNode, Victims: ours.Victims}
	o, err := p.sim.Attempt(ours.Pod, func(o *upstream.Outcome) string { return nodeFor(o, ours) }, wish)
	if err != nil {
		return err
	}
	if o.Skipped {
		return fmt.Errorf("pod %s: upstream skipped a pod that is not being deleted", ours.Pod)
	}
	p.count(o)
	p.differ(Compare(o, ours)...)
	if len(p.sim.Problems) != 0 {
		return fmt.Errorf("%w: %s", ErrContradiction, strings.Join(p.sim.Problems, "; "))
	}
	return nil
}

// nodeFor is the simulator's choice if upstream could bind to it, and one of upstream's otherwise.
func nodeFor(o *upstream.Outcome, ours *result.Attempt) string {
	for i := range o.Nodes {
		if o.Nodes[i].Name == ours.Node && o.Nodes[i].Verdict == "Success" {
			return ours.Node
		}
	}
	return o.Best[0]
}

func (p *player) count(o *upstream.Outcome) {
	stats := &p.report.Stats
	stats.Attempts++
	if p.tried[o.Pod] {
		stats.Retries++
	}
	p.tried[o.Pod] = true
	stats.Nodes += len(o.Nodes)
	for i := range o.Nodes {
		stats.Scores += len(o.Nodes[i].Scores)
	}
	if o.Ties > 1 {
		stats.Ties++
	}
	if o.Result == result.Error {
		stats.Errors++
	}
	if len(o.Candidates) != 0 {
		stats.Preemptions++
	}
}

// finish applies the steps that the simulator's list did not reach and requires that upstream has no pod left to try.
func (p *player) finish() error {
	for {
		if queue := p.sim.Queue(); anyDue(queue) {
			p.differ(Difference{Pod: first(p.sim, queue), Field: "attempt", Ours: "not tried", Upstream: "due; in the queue: " + keys(queue)})
			return nil
		}
		if len(p.steps) == 0 {
			p.differ(p.gates.missing()...)
			return nil
		}
		if err := p.step(); err != nil {
			return err
		}
	}
}

func find(queue []upstream.Queued, key string) (upstream.Queued, bool) {
	for _, q := range queue {
		if q.Key == key {
			return q, true
		}
	}
	return upstream.Queued{}, false
}

// anyDue returns whether upstream has a pod that it tries without waiting.
func anyDue(queue []upstream.Queued) bool {
	for _, q := range queue {
		if q.Place != upstream.ErrorBackoff {
			return true
		}
	}
	return false
}

// first is a pod that no other pod of the queue must precede.
func first(sim *upstream.Simulation, queue []upstream.Queued) string {
	best := -1
	for i, q := range queue {
		if q.Place != upstream.ErrorBackoff && (best < 0 || sim.MustPrecede(q, queue[best])) {
			best = i
		}
	}
	return queue[best].Key
}

func keys(queue []upstream.Queued) string {
	places := map[upstream.Place]string{upstream.Active: "active", upstream.Backoff: "backoff", upstream.ErrorBackoff: "error backoff"}
	list := make([]string, len(queue))
	for i, q := range queue {
		list[i] = fmt.Sprintf("%s (%s)", q.Key, places[q.Place])
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}
