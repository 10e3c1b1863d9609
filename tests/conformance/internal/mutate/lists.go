package mutate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berth.dev/berth/tests/conformance/internal/result"
)

// listMutations corrupt the set of attempts, their order, and the nodes that they list.
func listMutations() []Mutation {
	return []Mutation{
		onAttempt("node dropped", strictNodes, func(a *result.Attempt) { a.Nodes = a.Nodes[1:] }),
		onAttempt("node listed twice", strictNodes, func(a *result.Attempt) { a.Nodes = append(a.Nodes, a.Nodes[0]) }),
		onAttempt("node invented", strictNodes, func(a *result.Attempt) {
			a.Nodes = append(a.Nodes, result.Node{Name: "no-such-node", Verdict: "Success"})
		}),
		onAttempt("nodes in another order", func(a *result.Attempt) bool { return strictNodes(a) && len(a.Nodes) > 1 },
			func(a *result.Attempt) { a.Nodes[0], a.Nodes[1] = a.Nodes[1], a.Nodes[0] }),
		{"first attempt left out", func(s *result.Simulation, r *rand.Rand) bool {
			return removeAttempt(s, choose(r, len(s.Pods), func(i int) bool { return certain(&s.Pods[i]) && first(s, i) && !again(s, i) }))
		}},
		{"retry left out", func(s *result.Simulation, r *rand.Rand) bool {
			return removeAttempt(s, choose(r, len(s.Pods), func(i int) bool { return certain(&s.Pods[i]) && !first(s, i) && !again(s, i) }))
		}},
		{"retry nothing asked for", func(s *result.Simulation, r *rand.Rand) bool {
			at := choose(r, len(s.Pods), func(i int) bool {
				return certain(&s.Pods[i]) && s.Pods[i].Result == result.Unschedulable && !extended(&s.Pods[i])
			})
			if at < 0 {
				return false
			}
			s.Pods = slices.Insert(s.Pods, at+1, s.Pods[at])
			return true
		}},
		{"second attempt for a bound pod", func(s *result.Simulation, r *rand.Rand) bool {
			at := choose(r, len(s.Pods), func(i int) bool { return s.Pods[i].Result == result.Scheduled })
			if at < 0 {
				return false
			}
			s.Pods = append(s.Pods, s.Pods[at])
			return true
		}},
		{"two first attempts swapped", swapFirst},
		{"gated left out", dropOnly(result.Gated)},
		{"unserved left out", dropOnly(result.Unserved)},
		{"gated after an attempt", func(s *result.Simulation, r *rand.Rand) bool {
			at := choose(r, len(s.Pods), func(i int) bool { return tried(&s.Pods[i]) })
			if at < 0 {
				return false
			}
			s.Pods = append(s.Pods, result.Attempt{Pod: s.Pods[at].Pod, Result: result.Gated, Message: "waiting for scheduling gates: [a]"})
			return true
		}},
		{"everything left out", func(s *result.Simulation, _ *rand.Rand) bool {
			had := slices.ContainsFunc(s.Pods, func(a result.Attempt) bool { return certain(&a) })
			s.Pods = nil
			return had
		}},
	}
}

// strictNodes returns whether upstream determines the listed nodes: the pod failed on all nodes, or the nodes were
// scored.
func strictNodes(a *result.Attempt) bool {
	return len(a.Nodes) != 0 && (scored(a) || a.Result == result.Unschedulable)
}

// certain returns whether upstream must make exactly this attempt, because plugins decided it. Upstream may repeat
// attempts that ended with an error or without any node at any time.
func certain(a *result.Attempt) bool {
	return a.Result == result.Scheduled || (a.Result == result.Unschedulable && a.Message != "no nodes available to schedule pods")
}

// extended returns whether an extender rejected a node. Any event then requeues the pod, including the status of its
// own failure.
func extended(a *result.Attempt) bool {
	return slices.ContainsFunc(a.Nodes, func(n result.Node) bool { return strings.HasPrefix(n.Plugin, "http") })
}

// first returns whether the pod was not tried before attempt i.
func first(s *result.Simulation, i int) bool {
	return !slices.ContainsFunc(s.Pods[:i], func(a result.Attempt) bool { return a.Pod == s.Pods[i].Pod && tried(&a) })
}

// again returns whether the pod was tried after attempt i.
func again(s *result.Simulation, i int) bool {
	return slices.ContainsFunc(s.Pods[i+1:], func(a result.Attempt) bool { return a.Pod == s.Pods[i].Pod && tried(&a) })
}

func removeAttempt(s *result.Simulation, at int) bool {
	if at < 0 {
		return false
	}
	// A pod that failed with an error before, or without nodes, may or may not be tried again.
	for _, a := range s.Pods[:at] {
		if a.Pod == s.Pods[at].Pod && tried(&a) && !certain(&a) {
			return false
		}
	}
	s.Pods = slices.Delete(s.Pods, at, at+1)
	return true
}

// swapFirst swaps two neighbours that are both tried for the first time.
func swapFirst(s *result.Simulation, r *rand.Rand) bool {
	at := choose(r, len(s.Pods)-1, func(i int) bool {
		return certain(&s.Pods[i]) && certain(&s.Pods[i+1]) && s.Pods[i].Pod != s.Pods[i+1].Pod && first(s, i) && first(s, i+1)
	})
	if at < 0 {
		return false
	}
	s.Pods[at], s.Pods[at+1] = s.Pods[at+1], s.Pods[at]
	return true
}

// dropOnly leaves out a pod reported once as gated or unserved.
func dropOnly(kind string) func(s *result.Simulation, r *rand.Rand) bool {
	return func(s *result.Simulation, r *rand.Rand) bool {
		at := choose(r, len(s.Pods), func(i int) bool { return s.Pods[i].Result == kind })
		if at < 0 {
			return false
		}
		pod := s.Pods[at].Pod
		s.Pods = slices.DeleteFunc(s.Pods, func(a result.Attempt) bool { return a.Pod == pod && a.Result == kind })
		return true
	}
}
