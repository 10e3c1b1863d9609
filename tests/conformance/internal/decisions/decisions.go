// Package decisions compares the decision log of a simulation, from which `berthctl why` answers, with the result that
// the judge compares with kube-scheduler: what why says of each node is then kube-scheduler's verdict.
package decisions

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/result"
)

const longestMessage = 2048 // the recorder cuts longer ones

type decision struct {
	Pod, Result, Node, Message string
	Ties                       int
	Nodes                      struct {
		Names      []string
		Verdicts   []int
		Rejections []struct {
			Plugin, Code string
			Reasons      []string
		}
		Scores []struct {
			Plugin string
			Values []*int64
		}
		Totals []*int64
	}
}

// Compare returns the differences between the log and the attempts of the simulation, and the number of nodes that it
// has compared.
func Compare(path string, s *result.Simulation) ([]judge.Difference, int, error) {
	logged, err := read(path)
	if err != nil {
		return nil, 0, err
	}
	c := comparison{}
	for i := range s.Pods {
		attempt := &s.Pods[i]
		if attempt.Result == result.Gated || attempt.Result == result.Unserved {
			continue // no attempt was made
		}
		if len(logged) == 0 {
			c.add(attempt, "", "decision", "none", "one for each attempt")
			break
		}
		c.attempt(attempt, &logged[0])
		logged = logged[1:]
	}
	if len(logged) != 0 {
		c.add(&result.Attempt{Pod: logged[0].Pod}, "", "decision", "more than the attempts", "one for each attempt")
	}
	return c.found, c.nodes, nil
}

func read(path string) ([]decision, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	var all []decision
	for lines.Scan() {
		var head struct{ Kind string }
		if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
			return nil, fmt.Errorf("%s: after decision %d: %w", path, len(all), err)
		}
		if head.Kind == "PodExplanation" {
			continue // of --suggest; the result has the same suggestions
		}
		var one decision
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: decision %d: %w", path, len(all)+1, err)
		}
		all = append(all, one)
	}
	return all, lines.Err()
}

type comparison struct {
	found []judge.Difference
	nodes int
}

func (c *comparison) add(a *result.Attempt, node, field, logged, printed string) {
	c.found = append(c.found, judge.Difference{Attempt: -1, Pod: a.Pod, Node: node, Field: "decision log: " + field, Ours: logged, Upstream: printed})
}

func (c *comparison) same(a *result.Attempt, node, field string, logged, printed any) {
	if fmt.Sprint(logged) != fmt.Sprint(printed) {
		c.add(a, node, field, fmt.Sprint(logged), fmt.Sprint(printed))
	}
}

func (c *comparison) attempt(a *result.Attempt, d *decision) {
	c.same(a, "", "pod", d.Pod, a.Pod)
	c.same(a, "", "result", d.Result, a.Result)
	c.same(a, "", "node", d.Node, a.Node)
	c.same(a, "", "ties", d.Ties, a.Ties)
	if message, cut := strings.CutSuffix(d.Message, " ..."); !cut || len(d.Message) != longestMessage || !strings.HasPrefix(a.Message, message) {
		c.same(a, "", "message", d.Message, a.Message)
	}
	if a.Result == result.Error && len(d.Nodes.Names) == 0 {
		return // not all plugins have judged the nodes
	}
	for i := range a.Nodes {
		c.node(a, &a.Nodes[i], d)
	}
}

func (c *comparison) node(a *result.Attempt, n *result.Node, d *decision) {
	i := slices.Index(d.Nodes.Names, n.Name)
	if i < 0 {
		c.add(a, n.Name, "node", "none", "listed")
		return
	}
	c.nodes++
	if k := d.Nodes.Verdicts[i]; k > 0 {
		rejection := d.Nodes.Rejections[k-1]
		c.same(a, n.Name, "verdict", rejection.Code, n.Verdict)
		c.same(a, n.Name, "plugin", rejection.Plugin, n.Plugin)
		c.same(a, n.Name, "reasons", rejection.Reasons, n.Reasons)
		return
	}
	c.same(a, n.Name, "verdict", d.Nodes.Verdicts[i], 0)
	c.same(a, n.Name, "verdict", "Success", n.Verdict)
	scored := 0
	for _, s := range d.Nodes.Scores {
		if s.Values[i] == nil {
			continue
		}
		scored++
		c.same(a, n.Name, "score of "+s.Plugin, *s.Values[i], n.Scores[s.Plugin])
	}
	c.same(a, n.Name, "number of scores", scored, len(n.Scores))
	if d.Nodes.Totals[i] != nil {
		c.same(a, n.Name, "total", *d.Nodes.Totals[i], n.Total)
	}
}
