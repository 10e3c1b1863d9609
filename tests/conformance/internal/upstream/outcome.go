package upstream

import (
	"berth.dev/berth/tests/conformance/internal/result"
)

// Outcome is upstream's result of one attempt in the format of the simulator's JSON, with the alternatives that it
// allows.
type Outcome struct {
	result.Attempt
	// Best contains the nodes that upstream may choose: those with the highest total, or all feasible ones if the profile
	// scores nothing. Empty unless Result is Scheduled.
	Best []string
	// Messages contains every message that upstream may give, if it depends on the order of nodes; otherwise one.
	Messages []string
	// Stray contains the pod's nominated node if it was filtered, failed, and is not among the candidates after PreFilter.
	// It counts in the message, and the simulator may list it or not.
	Stray []result.Node
	// Unscored means that the profile has no Score plugin. Upstream then stops at the first feasible node, so the set of
	// filtered nodes depends on where it starts.
	Unscored bool
	// Candidates maps each node that preemption may choose to the pods it would evict there, sorted.
	Candidates map[string][]string
	// The extenders' effects on nodes: refused have a status from an extender, dropped were omitted without one, and
	// foreign are statuses of nodes that are not listed.
	refused, dropped map[string]bool
	foreign          []result.Node
	// Skipped means that upstream took the pod from its queue and made no attempt, because the pod is being deleted.
	Skipped bool
}

// feasible returns the names of the nodes that passed Filter.
func (o *Outcome) feasible() []string {
	var names []string
	for i := range o.Nodes {
		if o.Nodes[i].Verdict == "Success" {
			names = append(names, o.Nodes[i].Name)
		}
	}
	return names
}
