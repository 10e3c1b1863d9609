// Package mutate corrupts correct results, one fact at a time, to prove that the judge reports it.
package mutate

import (
	"math/rand/v2"
	"slices"

	"berth.dev/berth/tests/conformance/internal/result"
)

// Mutation is one possible error of a simulator.
type Mutation struct {
	Name string
	// Apply corrupts the result in one random place, and returns whether there is such a place.
	Apply func(s *result.Simulation, r *rand.Rand) bool
}

// All lists every mutation; the judge must report each one wherever it applies.
func All() []Mutation {
	return slices.Concat(ofAttempts(), suggestionMutations())
}

func ofAttempts() []Mutation {
	return slices.Concat(attemptMutations(), nodeMutations(), listMutations())
}

// onAttempt corrupts one attempt that satisfies want.
func onAttempt(name string, want func(a *result.Attempt) bool, corrupt func(a *result.Attempt)) Mutation {
	return Mutation{name, func(s *result.Simulation, r *rand.Rand) bool {
		at := choose(r, len(s.Pods), func(i int) bool { return want(&s.Pods[i]) })
		if at < 0 {
			return false
		}
		corrupt(&s.Pods[at])
		return true
	}}
}

// speaks returns whether the attempt has a message that is compared.
func speaks(a *result.Attempt) bool { return a.Message != "" && a.Result != result.Unserved }

// choose draws an index below n that satisfies want, -1 if none does.
func choose(r *rand.Rand, n int, want func(i int) bool) int {
	var fit []int
	for i := range n {
		if want(i) {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return -1
	}
	return fit[r.IntN(len(fit))]
}

func is(kind string) func(a *result.Attempt) bool {
	return func(a *result.Attempt) bool { return a.Result == kind }
}

func tried(a *result.Attempt) bool { return a.Result != result.Gated && a.Result != result.Unserved }

// scored returns whether the nodes were compared by score, so that only those with the highest total are right.
func scored(a *result.Attempt) bool {
	return slices.ContainsFunc(a.Nodes, func(n result.Node) bool { return len(n.Scores) != 0 })
}

// attemptMutations corrupt the fields of an attempt.
func attemptMutations() []Mutation {
	anyTried := tried
	placed := is(result.Scheduled)
	failed := is(result.Unschedulable)
	return []Mutation{
		onAttempt("scheduled becomes unschedulable", placed, func(a *result.Attempt) { a.Result = result.Unschedulable }),
		onAttempt("unschedulable becomes scheduled", failed, func(a *result.Attempt) { a.Result = result.Scheduled }),
		onAttempt("unschedulable becomes error", failed, func(a *result.Attempt) { a.Result = result.Error }),
		onAttempt("error becomes unschedulable", is(result.Error), func(a *result.Attempt) { a.Result = result.Unschedulable }),
		onAttempt("attempt becomes gated", anyTried, func(a *result.Attempt) { a.Result = result.Gated }),
		onAttempt("attempt becomes unserved", anyTried, func(a *result.Attempt) { a.Result = result.Unserved }),
		onAttempt("profile", anyTried, func(a *result.Attempt) { a.Profile += "x" }),
		onAttempt("node that does not exist", placed, func(a *result.Attempt) { a.Node = "no-such-node" }),
		onAttempt("node left out", placed, func(a *result.Attempt) { a.Node = "" }),
		onAttempt("node that was rejected", func(a *result.Attempt) bool { return placed(a) && pickNode(a, rejected) != "" },
			func(a *result.Attempt) { a.Node = pickNode(a, rejected) }),
		onAttempt("node that scores less", func(a *result.Attempt) bool { return scored(a) && pickNode(a, lesser(a)) != "" },
			func(a *result.Attempt) { a.Node = pickNode(a, lesser(a)) }),
		onAttempt("node given to a failed pod", failed, func(a *result.Attempt) { a.Node = "node-0" }),
		onAttempt("one tie more", scored, func(a *result.Attempt) { a.Ties++ }),
		onAttempt("ties lost", func(a *result.Attempt) bool { return a.Ties > 1 }, func(a *result.Attempt) { a.Ties = 1 }),
		onAttempt("ties of a failed pod", failed, func(a *result.Attempt) { a.Ties = 1 }),
		onAttempt("message cut", speaks, func(a *result.Attempt) { a.Message = a.Message[:len(a.Message)-1] }),
		onAttempt("message dropped", speaks, func(a *result.Attempt) { a.Message = "" }),
		onAttempt("message of a scheduled pod", placed, func(a *result.Attempt) { a.Message = "Successfully assigned" }),
		onAttempt("nominated node", anyTried, func(a *result.Attempt) { a.NominatedNode = "node-0" }),
		onAttempt("victims", anyTried, func(a *result.Attempt) { a.Victims = []string{"default/victim"} }),
		onAttempt("another pod", anyTried, func(a *result.Attempt) { a.Pod += "x" }),
		onAttempt("gated text", is(result.Gated), func(a *result.Attempt) { a.Message += " " }),
		onAttempt("gated with a node", is(result.Gated), func(a *result.Attempt) { a.Node = "node-0" }),
		onAttempt("gated becomes unserved", is(result.Gated), func(a *result.Attempt) { a.Result = result.Unserved }),
		onAttempt("gated becomes unschedulable", is(result.Gated), func(a *result.Attempt) { a.Result = result.Unschedulable }),
		onAttempt("unserved becomes gated", is(result.Unserved), func(a *result.Attempt) { a.Result = result.Gated }),
		onAttempt("unserved becomes unschedulable", is(result.Unserved), func(a *result.Attempt) { a.Result = result.Unschedulable }),
	}
}

func rejected(n *result.Node) bool { return n.Verdict != "Success" }

func lesser(a *result.Attempt) func(n *result.Node) bool {
	var top int64
	for i := range a.Nodes {
		if a.Nodes[i].Name == a.Node {
			top = a.Nodes[i].Total
		}
	}
	return func(n *result.Node) bool { return n.Verdict == "Success" && n.Total < top }
}

// pickNode names the first node of an attempt that satisfies want, "" if none does.
func pickNode(a *result.Attempt, want func(n *result.Node) bool) string {
	for i := range a.Nodes {
		if want(&a.Nodes[i]) {
			return a.Nodes[i].Name
		}
	}
	return ""
}
