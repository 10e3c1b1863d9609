package upstream

import (
	"berth.dev/berth/tests/conformance/internal/result"
)

// Outcome is what upstream makes of one attempt, in the shape of the simulator's JSON, and what else it would accept.
type Outcome struct {
	result.Attempt
	// Best holds the nodes any of which upstream may choose: those with the highest total, or all feasible ones if the
	// profile scores nothing. Empty unless Result is Scheduled.
	Best []string
	// Messages holds every message upstream may give where that depends on the order in which nodes are looked at; one
	// otherwise.
	Messages []string
	// Stray holds the pod's nominated node if it was filtered, failed, and is none of the candidates PreFilter left: it
	// counts in the message, and the simulator may list it or not.
	Stray []result.Node
	// Unscored says that the profile has no Score plugin. Upstream then stops at the first feasible node it meets, so
	// that which nodes reach Filter depends on where it starts.
	Unscored bool
	// Candidates maps each node that preemption may choose to the pods it would evict there, sorted.
	Candidates map[string][]string
	// What extenders did to nodes: refused says which have a status of theirs, dropped which they left out without one, and
	// foreign are statuses of nodes that are not among those listed.
	refused, dropped map[string]bool
	foreign          []result.Node
	// Skipped says that upstream took the pod from its queue and made no attempt, because the pod is being deleted.
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
