package mutate

import (
	"math/rand/v2"
	"slices"

	"berth.dev/berth/tests/conformance/internal/result"
)

// suggestionMutations corrupt what is said about the pods that wait at the end. The stand-in says nothing about them.
func suggestionMutations() []Mutation {
	return []Mutation{
		{"pending pod left out", func(s *result.Simulation, r *rand.Rand) bool {
			// Without any, nothing is compared, as of a simulator that looks for no suggestions.
			if len(s.Pending) < 2 {
				return false
			}
			at := r.IntN(len(s.Pending))
			s.Pending = slices.Delete(s.Pending, at, at+1)
			return true
		}},
		{"pending pod invented", func(s *result.Simulation, _ *rand.Rand) bool {
			s.Pending = append(s.Pending, result.Pending{Pod: "default/no-such-pod"})
			return true
		}},
		onSuggestion("suggested node that does not exist", func(one *result.Suggestion) { one.Node = "no-such-node" }),
		onDeletion("pod to delete left out", func(one *result.Suggestion) { one.Deletes = one.Deletes[:len(one.Deletes)-1] }),
		onDeletion("pod to delete that is on no node", func(one *result.Suggestion) { one.Deletes[0] = "default/no-such-pod" }),
		onSuggestion("one suggested node more", func(one *result.Suggestion) { one.Nodes++ }),
		onSuggestion("suggested patch left out", func(one *result.Suggestion) { one.Patch = nil }),
		onSuggestion("suggested patch that does not help", func(one *result.Suggestion) {
			one.Patch = []result.Operation{{Op: "add", Path: "/metadata/annotations", Value: []byte(`{"a":"b"}`)}}
		}),
		onSuggestion("suggested patch that does not apply", func(one *result.Suggestion) {
			one.Patch = append(one.Patch, result.Operation{Op: "remove", Path: "/spec/no-such-field"})
		}),
	}
}

// onDeletion changes a suggestion to delete one pod or more. Without the last one, which is the least important, the
// others are not enough.
func onDeletion(name string, corrupt func(one *result.Suggestion)) Mutation {
	return onSome(name, func(one result.Suggestion) bool { return len(one.Deletes) != 0 }, func(one *result.Suggestion) {
		one.Deletes = slices.Clone(one.Deletes)
		corrupt(one)
	})
}

// onSuggestion changes a suggestion that has a patch.
func onSuggestion(name string, corrupt func(one *result.Suggestion)) Mutation {
	return onSome(name, func(one result.Suggestion) bool { return len(one.Patch) != 0 }, corrupt)
}

func onSome(name string, wanted func(result.Suggestion) bool, corrupt func(one *result.Suggestion)) Mutation {
	return Mutation{name, func(s *result.Simulation, r *rand.Rand) bool {
		at := choose(r, len(s.Pending), func(i int) bool { return slices.ContainsFunc(s.Pending[i].Suggestions, wanted) })
		if at < 0 {
			return false
		}
		list := s.Pending[at].Suggestions
		corrupt(&list[choose(r, len(list), func(i int) bool { return wanted(list[i]) })])
		return true
	}}
}
