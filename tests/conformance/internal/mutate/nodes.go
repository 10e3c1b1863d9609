package mutate

import (
	"maps"
	"math/rand/v2"
	"slices"

	"berth.dev/berth/tests/conformance/internal/result"
)

// onNode corrupts one node that satisfies want, in an attempt whose list of nodes only upstream determines.
func onNode(name string, want func(n *result.Node) bool, corrupt func(n *result.Node)) Mutation {
	return Mutation{name, func(s *result.Simulation, r *rand.Rand) bool {
		type place struct{ attempt, node int }
		var fit []place
		for i := range s.Pods {
			for j := range s.Pods[i].Nodes {
				if want(&s.Pods[i].Nodes[j]) {
					fit = append(fit, place{i, j})
				}
			}
		}
		if len(fit) == 0 {
			return false
		}
		p := fit[r.IntN(len(fit))]
		corrupt(&s.Pods[p.attempt].Nodes[p.node])
		return true
	}}
}

// nodeMutations corrupt the fields of one node.
func nodeMutations() []Mutation {
	any := func(*result.Node) bool { return true }
	success := func(n *result.Node) bool { return n.Verdict == "Success" }
	reasoned := func(n *result.Node) bool { return rejected(n) && len(n.Reasons) != 0 } // extenders need not say why
	hasScores := func(n *result.Node) bool { return len(n.Scores) != 0 }
	return []Mutation{
		onNode("success becomes unschedulable", success, func(n *result.Node) { n.Verdict = "Unschedulable" }),
		onNode("rejected becomes success", rejected, func(n *result.Node) { n.Verdict = "Success" }),
		onNode("unresolvable becomes resolvable", verdict("UnschedulableAndUnresolvable"), func(n *result.Node) { n.Verdict = "Unschedulable" }),
		onNode("resolvable becomes unresolvable", verdict("Unschedulable"), func(n *result.Node) { n.Verdict = "UnschedulableAndUnresolvable" }),
		onNode("rejected becomes pending", rejected, func(n *result.Node) { n.Verdict = "Pending" }),
		onNode("plugin", rejected, func(n *result.Node) { n.Plugin += "x" }),
		onNode("plugin dropped", rejected, func(n *result.Node) { n.Plugin = "" }),
		onNode("plugin of a success", success, func(n *result.Node) { n.Plugin = "NodeName" }),
		onNode("reason", reasoned, func(n *result.Node) { n.Reasons[0] += "." }),
		onNode("reason dropped", reasoned, func(n *result.Node) { n.Reasons = n.Reasons[1:] }),
		onNode("reason doubled", reasoned, func(n *result.Node) { n.Reasons = append(n.Reasons, n.Reasons[0]) }),
		onNode("reasons of cpu and memory swapped", cpuThenMemory, func(n *result.Node) {
			at := slices.Index(n.Reasons, "Insufficient cpu")
			n.Reasons[at], n.Reasons[at+1] = n.Reasons[at+1], n.Reasons[at]
		}),
		onNode("reason of a success", success, func(n *result.Node) { n.Reasons = []string{"Insufficient cpu"} }),
		onNode("score", hasScores, func(n *result.Node) { n.Scores[firstScore(n)]++ }),
		onNode("score and total", hasScores, func(n *result.Node) { n.Scores[firstScore(n)]++; n.Total++ }),
		onNode("score of zero dropped", hasZero, func(n *result.Node) { delete(n.Scores, zeroScore(n)) }),
		onNode("score dropped", hasScores, func(n *result.Node) { delete(n.Scores, firstScore(n)) }),
		onNode("score invented", hasScores, func(n *result.Node) { n.Scores["NoSuchPlugin"] = 0 }),
		onNode("two scores exchanged", differingScores, exchangeScores),
		onNode("score where nothing is scored", func(n *result.Node) bool { return !hasScores(n) }, func(n *result.Node) {
			n.Scores = map[string]int64{"NodeResourcesFit": 50}
		}),
		onNode("total", any, func(n *result.Node) { n.Total++ }),
		onNode("node renamed", any, func(n *result.Node) { n.Name += "x" }),
	}
}

func verdict(v string) func(n *result.Node) bool {
	return func(n *result.Node) bool { return n.Verdict == v }
}

func cpuThenMemory(n *result.Node) bool {
	at := slices.Index(n.Reasons, "Insufficient cpu")
	return at >= 0 && at+1 < len(n.Reasons) && n.Reasons[at+1] == "Insufficient memory"
}

func firstScore(n *result.Node) string {
	return slices.Sorted(maps.Keys(n.Scores))[0]
}

func zeroScore(n *result.Node) string {
	for _, plugin := range slices.Sorted(maps.Keys(n.Scores)) {
		if n.Scores[plugin] == 0 {
			return plugin
		}
	}
	return ""
}

func hasZero(n *result.Node) bool { return zeroScore(n) != "" }

func differingScores(n *result.Node) bool {
	first := int64(-1)
	for _, score := range n.Scores {
		if first >= 0 && score != first {
			return true
		}
		first = score
	}
	return false
}

// exchangeScores swaps two plugins' scores, which leaves the total right.
func exchangeScores(n *result.Node) {
	plugins := slices.Sorted(maps.Keys(n.Scores))
	for _, other := range plugins[1:] {
		if n.Scores[other] != n.Scores[plugins[0]] {
			n.Scores[plugins[0]], n.Scores[other] = n.Scores[other], n.Scores[plugins[0]]
			return
		}
	}
}
