package judge

import (
	"fmt"
	"slices"

	"berth.dev/berth/tests/conformance/internal/result"
)

// gateBook keeps what was reported as gated or unserved against what upstream gates and leaves alone. When upstream
// evaluates gates is not visible from outside, so that only these are demanded: each gated pod is reported at least
// once, first with the text it is first gated with, then, if at all, with texts it was gated with later, in their
// order, and never after it was tried.
type gateBook struct {
	upstreamTexts map[string][]string // pod -> texts it was gated with, one after the other
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

// observe notes what upstream gates and leaves alone at one moment.
func (g *gateBook) observe(gated map[string]string, unserved []string) {
	for pod, text := range gated {
		g.upstreamTexts[pod] = appendNew(g.upstreamTexts[pod], text)
	}
	for _, pod := range unserved {
		g.upstreamLeft[pod] = true
	}
}

// gated notes a pod the simulator reports as gated.
func (g *gateBook) gated(ours *result.Attempt, tried bool) []Difference {
	c := comparison{pod: ours.Pod}
	if tried {
		c.add("gates", "gated after an attempt", "past its gates")
	}
	g.ourTexts[ours.Pod] = appendNew(g.ourTexts[ours.Pod], ours.Message)
	c.nothingDecided(ours)
	return c.found
}

// unserved notes a pod the simulator reports as nobody's.
func (g *gateBook) unserved(ours *result.Attempt) []Difference {
	c := comparison{pod: ours.Pod}
	g.ourLeft[ours.Pod] = true
	c.nothingDecided(ours)
	return c.found
}

// nothingDecided demands that an entry without an attempt claims nothing an attempt would find.
func (c *comparison) nothingDecided(ours *result.Attempt) {
	c.same("node", ours.Node, "")
	c.same("ties", fmt.Sprint(ours.Ties), "0")
	c.same("nominatedNode", ours.NominatedNode, "")
	c.same("victims", fmt.Sprint(len(ours.Victims)), "0")
	c.same("nodes", names(ours.Nodes), "")
}

// missing compares the two books when the simulation is over.
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
