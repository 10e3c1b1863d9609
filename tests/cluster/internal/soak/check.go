package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/stream"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// record is all data at the end of the soak.
type record struct {
	namespace string
	first     policy               // generation 1
	nodes     map[string]string    // each one's class
	created   map[string]time.Time // pods, and when each was sent to the API server
	swaps     []swap
	lines     []swaplog.Line
	events    []history.Event
	since     int64
	counters  map[string]float64 // of /metrics, by name with labels
}

// generation is a published generation, from the log.
type generation struct {
	number uint64
	policy policy
	logged time.Time // it is a generation that was active before
}

func (r *record) check() *Summary {
	s := &Summary{Pods: len(r.created), Swaps: len(r.swaps), kinds: map[string]*kind{}}
	proof := history.Prove(r.events, r.since)
	s.Moved, s.Overcommitted = proof.Moved, proof.Overfull
	generations := r.generations(s)
	s.Generations = len(generations)
	r.checkSwaps(s, generations)
	r.checkDecisions(s, generations)
	r.checkCounters(s)
	return s
}

// generations reads the changes in the log from the first generation on.
func (r *record) generations(s *Summary) []generation {
	all := []generation{{number: 1, policy: r.first}}
	for i := range r.lines {
		line := &r.lines[i]
		switch line.Message {
		case swaplog.RolledBack:
			s.wrong("the scheduler took a generation back: %s", line.Text)
		case swaplog.Published:
			last := all[len(all)-1]
			changes, err := line.List("changes")
			now := generation{number: line.Generation(), logged: line.Time}
			if err == nil {
				now.policy, err = last.policy.after(changes, r.namespace)
			}
			if err != nil {
				s.wrong("generation %d: %v", now.number, err)
			}
			if now.number <= last.number {
				s.wrong("generation %d came after generation %d", now.number, last.number)
			}
			all = append(all, now)
		}
	}
	return all
}

func find(generations []generation, number uint64) *generation {
	i, found := slices.BinarySearchFunc(generations, number, func(g generation, n uint64) int { return int(int64(g.number) - int64(n)) })
	if !found {
		return nil
	}
	return &generations[i]
}

// checkSwaps: each change of the files had the expected result, and one line in the log.
func (r *record) checkSwaps(s *Summary, generations []generation) {
	for i := range r.swaps {
		one := &r.swaps[i]
		s.tell(one)
		who := fmt.Sprintf("swap %d (%s)", i+1, one.what)
		if one.line.Message != one.wants {
			s.wrong("%s: wants %q, the log says %s", who, one.wants, one.line.Text)
			continue
		}
		for _, word := range one.words {
			if !strings.Contains(one.line.Text, word) {
				s.wrong("%s: nothing of %q in %s", who, word, one.line.Text)
			}
		}
		if one.wants != swaplog.Unchanged { // that line names no generation
			if g := find(generations, one.line.Generation()); g == nil || g.policy != one.then {
				s.wrong("%s: wants %s active, the log tells of %+v", who, one.then, g)
			}
		}
	}
	lines := 0
	for i := range r.lines {
		if r.lines[i].IsSwap() {
			lines++
		}
	}
	if lines != len(r.swaps) {
		s.wrong("the log has %d lines about %d swaps", lines, len(r.swaps))
	}
}

// checkDecisions compares history and log: each pod has the same node in both, and its generation prefers that node.
func (r *record) checkDecisions(s *Summary, generations []generation) {
	onNode := map[string]string{} // pods, from etcd's history
	for i := range r.events {
		if pod := r.events[i].Pod; pod != nil && pod.Namespace == r.namespace && pod.Spec.NodeName != "" {
			onNode[pod.Name] = pod.Spec.NodeName
		}
	}
	logged := map[string]int{}
	for i := range r.lines {
		line := &r.lines[i]
		if line.Message != swaplog.Bound {
			continue
		}
		name := strings.TrimPrefix(line.Values["pod"], r.namespace+"/")
		logged[name]++
		if onNode[name] != line.Values["node"] {
			s.wrong("pod %s is on node %q, the log says %s", name, onNode[name], line.Text)
		}
		r.checkDecision(s, generations, name, line)
	}
	for name := range r.created {
		if onNode[name] != "" {
			s.Bound++
		} else {
			s.wrong("pod %s never had a node", name)
		}
		if onNode[name] != "" && logged[name] != 1 {
			s.wrong("pod %s has %d lines about its binding", name, logged[name])
		}
	}
}

func (r *record) checkDecision(s *Summary, generations []generation, name string, line *swaplog.Line) {
	number := line.Generation()
	g := find(generations, number)
	if g == nil {
		s.wrongDecision("generation %d, which the log says nothing of: %s", number, line.Text)
		return
	}
	created, ours := r.created[name]
	if !ours {
		s.wrong("nobody made pod %s", name)
		return
	}
	s.decided(name, number)
	class := r.nodes[line.Values["node"]]
	switch kind := stream.KindOf(name); {
	case kind == plain && class != g.policy.wants():
		s.wrongDecision("pod %s is on a node of class %q, generation %d (%s) wants %q", name, class, number, g.policy, g.policy.wants())
	case kind == guest && !g.policy.guest:
		s.wrongDecision("pod %s was decided by generation %d, which has no profile for it", name, number)
	case kind == tight && class != tight:
		s.wrongDecision("pod %s is on a node of class %q", name, class)
	}
	// A generation must not schedule a pod that was created after a later one was published.
	if after := latest(generations, created); after.number > number {
		s.wrongDecision("pod %s was made %s after generation %d was active, and decided by generation %d",
			name, created.Sub(after.logged), after.number, number)
	}
}

// latest is the latest generation that was certainly published at a time.
func latest(generations []generation, at time.Time) generation {
	i, _ := slices.BinarySearchFunc(generations, at, func(g generation, at time.Time) int { return g.logged.Compare(at) })
	return generations[max(0, i-1)]
}

// checkCounters: the metrics agree with the log.
func (r *record) checkCounters(s *Summary) {
	results := map[string]string{swaplog.Published: "published", swaplog.Rejected: "refused", swaplog.Unchanged: "unchanged", swaplog.RolledBack: "rolled_back"}
	lines := map[string]float64{}
	for i := range r.lines {
		lines[r.lines[i].Message]++
	}
	for message, result := range results {
		name := `berth_swap_total{result="` + result + `"}`
		if r.counters[name] != lines[message] {
			s.wrong("%s is %v, the log has %v such lines", name, r.counters[name], lines[message])
		}
	}
}
