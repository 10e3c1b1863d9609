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

func onSuggestion(name string, corrupt func(one *result.Suggestion)) Mutation {
	return Mutation{name, func(s *result.Simulation, r *rand.Rand) bool {
		at := choose(r, len(s.Pending), func(i int) bool { return len(s.Pending[i].Suggestions) != 0 })
		if at < 0 {
			return false
		}
		list := s.Pending[at].Suggestions
		corrupt(&list[r.IntN(len(list))])
		return true
	}}
}
