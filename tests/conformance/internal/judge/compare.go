package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// Difference is one field on which the simulator and upstream do not agree.
type Difference struct {
	Attempt  int    `json:"attempt"` // index in the simulator's list, -1 if none corresponds to it
	Pod      string `json:"pod"`
	Node     string `json:"node,omitempty"`
	Field    string `json:"field"`
	Ours     string `json:"ours"`
	Upstream string `json:"upstream"`
}

func (d Difference) String() string {
	where := "pod " + d.Pod
	if d.Attempt >= 0 {
		where = fmt.Sprintf("attempt %d %s", d.Attempt, where)
	}
	if d.Node != "" {
		where += " node " + d.Node
	}
	return fmt.Sprintf("%s: %s\n    ours:     %s\n    upstream: %s", where, d.Field, d.Ours, d.Upstream)
}

// Compare compares one attempt of the simulator with upstream's outcome for the same pod and the same state.
func Compare(o *upstream.Outcome, ours *result.Attempt) []Difference {
	c := comparison{pod: ours.Pod}
	c.same("pod", ours.Pod, o.Pod)
	c.same("profile", ours.Profile, o.Profile)
	c.same("result", ours.Result, o.Result)
	if !slices.Contains(o.Messages, ours.Message) {
		c.add("message", ours.Message, o.Messages[0])
	}
	c.choice(o, ours)
	c.preemption(o, ours)
	c.nodes(o, ours)
	return c.found
}

// comparison collects the differences of one attempt; node is set while one node is compared.
type comparison struct {
	pod, node string
	found     []Difference
}

func (c *comparison) add(field, ours, theirs string) {
	c.found = append(c.found, Difference{Attempt: -1, Pod: c.pod, Node: c.node, Field: field, Ours: ours, Upstream: theirs})
}

func (c *comparison) same(field, ours, theirs string) {
	if ours != theirs {
		c.add(field, ours, theirs)
	}
}

func (c *comparison) choice(o *upstream.Outcome, ours *result.Attempt) {
	if o.Result != result.Scheduled {
		c.same("node", ours.Node, "")
		c.same("ties", fmt.Sprint(ours.Ties), "0")
		return
	}
	if !slices.Contains(o.Best, ours.Node) {
		c.add("node", ours.Node, "one of "+strings.Join(o.Best, " "))
	}
	if !o.Unscored {
		c.same("ties", fmt.Sprint(ours.Ties), fmt.Sprint(o.Ties))
	}
}

// preemption compares the nomination and the victims with those of any candidate that upstream considers best.
func (c *comparison) preemption(o *upstream.Outcome, ours *result.Attempt) {
	if len(o.Candidates) == 0 {
		c.same("nominatedNode", ours.NominatedNode, o.NominatedNode)
		c.same("victims", strings.Join(ours.Victims, " "), "")
		return
	}
	victims, ok := o.Candidates[ours.NominatedNode]
	if !ok {
		c.add("nominatedNode", ours.NominatedNode, "one of "+strings.Join(slices.Sorted(maps.Keys(o.Candidates)), " "))
		return
	}
	c.same("victims", strings.Join(slices.Sorted(slices.Values(ours.Victims)), " "), strings.Join(victims, " "))
}

func (c *comparison) nodes(o *upstream.Outcome, ours *result.Attempt) {
	defer func() { c.node = "" }()
	listed := c.setStrayAside(o, ours.Nodes)
	if partial(o) {
		c.partialNodes(o, listed)
		return
	}
	if names(listed) != names(o.Nodes) {
		c.add("nodes", names(listed), names(o.Nodes))
		return
	}
	for i := range listed {
		c.oneNode(&listed[i], &o.Nodes[i])
	}
}

// setStrayAside compares the nominated node, if it is listed beyond the candidates, and returns the rest of the list.
func (c *comparison) setStrayAside(o *upstream.Outcome, listed []result.Node) []result.Node {
	if len(o.Stray) == 0 {
		return listed
	}
	return slices.DeleteFunc(slices.Clone(listed), func(n result.Node) bool {
		if n.Name != o.Stray[0].Name {
			return false
		}
		c.oneNode(&n, &o.Stray[0])
		c.node = ""
		return true
	})
}

// partial returns whether the set of nodes that upstream filters is random: it stops at the first feasible one if
// nothing is scored, and at the first error.
func partial(o *upstream.Outcome) bool {
	if o.Unscored && o.Result == result.Scheduled {
		return true
	}
	return slices.ContainsFunc(o.Nodes, func(n result.Node) bool { return n.Verdict == "Error" })
}

func (c *comparison) partialNodes(o *upstream.Outcome, listed []result.Node) {
	for i := range listed {
		at := slices.IndexFunc(o.Nodes, func(n result.Node) bool { return n.Name == listed[i].Name })
		if at < 0 {
			c.node = listed[i].Name
			c.add("nodes", "listed", "not a candidate")
			continue
		}
		c.oneNode(&listed[i], &o.Nodes[at])
	}
}

func (c *comparison) oneNode(ours, theirs *result.Node) {
	c.node = ours.Name
	c.same("verdict", ours.Verdict, theirs.Verdict)
	c.same("plugin", ours.Plugin, theirs.Plugin)
	if !sameReasons(theirs.Plugin, ours.Reasons, theirs.Reasons) {
		c.add("reasons", fmt.Sprintf("%q", ours.Reasons), fmt.Sprintf("%q", theirs.Reasons))
	}
	for _, plugin := range slices.Sorted(maps.Keys(union(ours.Scores, theirs.Scores))) {
		c.same("score of "+plugin, score(ours.Scores, plugin), score(theirs.Scores, plugin))
	}
	c.same("total", fmt.Sprint(ours.Total), fmt.Sprint(theirs.Total))
}

// sameReasons compares in order, except for the extended resources of NodeResourcesFit, which upstream lists in the
// order of a Go map.
func sameReasons(plugin string, ours, theirs []string) bool {
	if plugin != "NodeResourcesFit" {
		return slices.Equal(ours, theirs)
	}
	fixed, scalars := split(ours)
	theirFixed, theirScalars := split(theirs)
	return slices.Equal(fixed, theirFixed) && slices.Equal(scalars, theirScalars)
}

// fixedReasons are the reasons of NodeResourcesFit with a fixed position in the list; all others come after them.
var fixedReasons = []string{"Too many pods", "Insufficient cpu", "Insufficient memory", "Insufficient ephemeral-storage"}

// split returns the fixed reasons at the start of a list unchanged, and the others sorted.
func split(reasons []string) (fixed, rest []string) {
	at := slices.IndexFunc(reasons, func(r string) bool { return !slices.Contains(fixedReasons, r) })
	if at < 0 {
		return reasons, nil
	}
	return reasons[:at], slices.Sorted(slices.Values(reasons[at:]))
}

func names(nodes []result.Node) string {
	list := make([]string, len(nodes))
	for i := range nodes {
		list[i] = nodes[i].Name
	}
	return strings.Join(list, " ")
}

func union(a, b map[string]int64) map[string]bool {
	keys := map[string]bool{}
	for k := range a {
		keys[k] = true
	}
	for k := range b {
		keys[k] = true
	}
	return keys
}

func score(scores map[string]int64, plugin string) string {
	if s, ok := scores[plugin]; ok {
		return fmt.Sprint(s)
	}
	return "none"
}
