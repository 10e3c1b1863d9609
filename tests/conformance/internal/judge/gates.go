package judge

import (
	"fmt"
	"slices"

	"berth.dev/berth/tests/conformance/internal/result"
)

// gateBook compares the pods reported as gated or unserved with those that upstream gates or ignores. When upstream
// evaluates gates is not visible from outside. The rules are therefore: each gated pod is reported at least once, first
// with its first gate message, then possibly with later messages in their order, and never after an attempt.
type gateBook struct {
	upstreamTexts map[string][]string // pod -> its gate messages, in order
	ourTexts      map[string][]string
	upstreamLeft  map[string]bool // pods no profile serves
	ourLeft       map[string]bool
}

func newGateBook() *gateBook {
	return &gateBook{
		upstreamTexts: map[string][]string{}, ourTexts: map[string][]string{},
		upstreamLeft: map[string]bool{}, ourLeft: map[string]bool{},
	}
}

// observe records the pods that upstream gates or ignores at one moment.
func (g *gateBook) observe(gated map[string]string, unserved []string) {
	for pod, text := range gated {
		g.upstreamTexts[pod] = appendNew(g.upstreamTexts[pod], text)
	}
	for _, pod := range unserved {
		g.upstreamLeft[pod] = true
	}
}

// gated records a pod that the simulator reports as gated.
func (g *gateBook) gated(ours *result.Attempt, tried bool) []Difference {
	c := comparison{pod: ours.Pod}
	if tried {
		c.add("gates", "gated after an attempt", "past its gates")
	}
	g.ourTexts[ours.Pod] = appendNew(g.ourTexts[ours.Pod], ours.Message)
	c.nothingDecided(ours)
	return c.found
}

// unserved records a pod that the simulator reports as unserved.
func (g *gateBook) unserved(ours *result.Attempt) []Difference {
	c := comparison{pod: ours.Pod}
	g.ourLeft[ours.Pod] = true
	c.nothingDecided(ours)
	return c.found
}

// nothingDecided requires that an entry without an attempt contains no result of an attempt.
func (c *comparison) nothingDecided(ours *result.Attempt) {
	c.same("node", ours.Node, "")
	c.same("ties", fmt.Sprint(ours.Ties), "0")
	c.same("nominatedNode", ours.NominatedNode, "")
	c.same("victims", fmt.Sprint(len(ours.Victims)), "0")
	c.same("nodes", names(ours.Nodes), "")
}

// missing compares the two records at the end of the simulation.
func (g *gateBook) missing() []Difference {
	var c comparison
	for _, pod := range sortedKeys(g.upstreamTexts, g.ourTexts) {
		theirs, ours := g.upstreamTexts[pod], g.ourTexts[pod]
		c.pod = pod
		if len(theirs) == 0 || len(ours) == 0 || ours[0] != theirs[0] || !isSubsequence(ours, theirs) {
			c.add("gates", fmt.Sprintf("%q", ours), fmt.Sprintf("%q", theirs))
		}
	}
	for _, pod := range sortedKeys(g.upstreamLeft, g.ourLeft) {
		c.pod = pod
		c.same("unserved", fmt.Sprint(g.ourLeft[pod]), fmt.Sprint(g.upstreamLeft[pod]))
	}
	return c.found
}

func appendNew(list []string, text string) []string {
	if len(list) != 0 && list[len(list)-1] == text {
		return list
	}
	return append(list, text)
}

func isSubsequence(part, whole []string) bool {
	at := 0
	for _, w := range whole {
		if at < len(part) && part[at] == w {
			at++
		}
	}
	return at == len(part)
}

func sortedKeys[V any](a, b map[string]V) []string {
	var list []string
	for k := range a {
		list = append(list, k)
	}
	for k := range b {
		list = append(list, k)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
