package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// suggestions compares the pods that wait at the end with upstream's, and applies each suggestion to the pod: upstream's
// plugins have to let it pass on as many nodes as the simulator says, among them the one that it names.
func (p *player) suggestions(pending []result.Pending) error {
	waiting, err := p.sim.Waiting()
	if err != nil {
		return err
	}
	var listed []string
	for i := range pending {
		listed = append(listed, pending[i].Pod)
	}
	if !slices.Equal(listed, waiting) {
		p.differ(Difference{Field: "pending pods", Ours: strings.Join(listed, ", "), Upstream: strings.Join(waiting, ", ")})
		return nil
	}
	for i := range pending {
		if err := p.pending(&pending[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) pending(ours *result.Pending) error {
	p.report.Stats.Suggested.Pending++
	pod, err := p.sim.Pod(ours.Pod)
	if err != nil {
		return err
	}
	c := suggestion{comparison: comparison{pod: ours.Pod}, sim: p.sim, original: pod, counts: &p.report.Stats.Suggested}
	// A plugin that fails says nothing about nodes.
	if nodes, err := p.sim.Feasible(pod); err == nil {
		c.same("fitting nodes", fmt.Sprint(ours.FittingNodes), fmt.Sprint(len(nodes)))
		if len(nodes) != 0 && len(ours.Suggestions) != 0 {
			c.add("suggestion", ours.Suggestions[0].Change, "the pod fits as it is")
		}
	}
	for i := range ours.Suggestions {
		if err := c.check(&ours.Suggestions[i]); err != nil {
			return err
		}
	}
	p.differ(c.found...)
	return nil
}

// suggestion checks the suggestions for one pod.
type suggestion struct {
	comparison
	sim      *upstream.Simulation
	original *v1.Pod
	counts   *Suggested
}

func (c *suggestion) check(ours *result.Suggestion) error {
	c.counts.count(ours)
	what := "suggestion to " + ours.Change
	if len(ours.Deletes) != 0 {
		return c.without(what, ours)
	}
	if len(ours.Patch) == 0 {
		c.add(what, "an empty patch", "a change")
		return nil
	}
	patched, err := apply(c.original, ours.Patch)
	if err != nil {
		c.add(what, err.Error(), "a patch that applies")
		return nil
	}
	if err := c.valid(what, patched); err != nil {
		return err
	}
	nodes, err := c.sim.Feasible(patched)
	if err != nil {
		c.add(what, "it fits", err.Error())
		return nil
	}
	c.same(what+": nodes", fmt.Sprint(ours.Nodes), fmt.Sprint(len(nodes)))
	if !slices.Contains(nodes, ours.Node) {
		c.add(what+": node", ours.Node, "fits on: "+strings.Join(nodes, ", "))
	}
	c.least(what, ours)
	return nil
}

// without requires that the pod fits on the node as soon as the pods to delete are gone.
func (c *suggestion) without(what string, ours *result.Suggestion) error {
	if len(ours.Patch) != 0 || ours.Nodes != 1 {
		c.add(what, fmt.Sprintf("%d operations, %d nodes", len(ours.Patch), ours.Nodes), "no operation, and one node")
	}
	fits, err := c.sim.FitsWithout(c.original, ours.Node, ours.Deletes)
	if err != nil {
		c.add(what, "it fits", err.Error())
	} else if !fits {
		c.add(what, "it fits", "it does not fit on "+ours.Node)
	}
	return nil
}

// valid requires that the API server accepts the pod if it accepts it as it is, and that the pod that it would create
// still fits, if it adds nothing to the pod as it is. The generator also draws pods that the server refuses or completes.
func (c *suggestion) valid(what string, patched *v1.Pod) error {
	completed, before, err := upstream.Created(c.original)
	if err != nil || before.Len() != 0 {
		return err
	}
	created, after, err := upstream.Created(patched)
	if err != nil {
		return err
	}
	c.counts.Valid++
	for objection := range after {
		c.add(what, "a valid pod", objection)
	}
	if !equality.Semantic.DeepEqual(completed.Spec, c.original.Spec) {
		return nil
	}
	c.counts.Created++
	if nodes, err := c.sim.Feasible(created); err != nil || len(nodes) == 0 {
		c.add(what, "it fits", fmt.Sprintf("the pod that the API server makes of it does not (%v)", err))
	}
	return nil
}

// least requires, of a suggestion that only lowers requests, that no greater request fits: one that is lowered by one
// unit less.
func (c *suggestion) least(what string, ours *result.Suggestion) {
	if kinds := kindsOf(ours); len(kinds) != 1 || kinds[0] != requests {
		return
	}
	for i, op := range ours.Patch {
		name := requestOf(op.Path)
		if name == "" || !wholeRequests(c.original, name) {
			continue
		}
		greater := slices.Clone(ours.Patch)
		greater[i].Value = raised(name, op.Value)
		patched, err := apply(c.original, greater)
		if err != nil {
			c.add(what, err.Error(), "a patch that applies")
			continue
		}
		c.counts.Least++
		if nodes, err := c.sim.Feasible(patched); err == nil && len(nodes) != 0 {
			c.add(what, "the least decrease", fmt.Sprintf("%s %s fits on %s", name, greater[i].Value, strings.Join(nodes, ", ")))
		}
	}
}

func apply(pod *v1.Pod, operations []result.Operation) (*v1.Pod, error) {
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(pod)
	if err != nil {
		return nil, err
	}
	after, err := patch.Apply(before)
	if err != nil {
		return nil, err
	}
	patched := &v1.Pod{}
	return patched, json.Unmarshal(after, patched)
}
