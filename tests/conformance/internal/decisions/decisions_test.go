package decisions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth.dev/berth/tests/conformance/internal/result"
)

const logged = `{"pod":"default/a","result":"Scheduled","node":"n1","ties":1,"message":"","nodes":{"names":["n1","n2"],"verdicts":[0,1],` +
	`"rejections":[{"plugin":"Fit","code":"Unschedulable","reasons":["full"]}],"scores":[{"plugin":"S","values":[7,null]}],"totals":[7,null]}}`

func printed() *result.Simulation {
	return &result.Simulation{Pods: []result.Attempt{
		{Pod: "default/gated", Result: result.Gated},
		{Pod: "default/a", Result: result.Scheduled, Node: "n1", Ties: 1, Nodes: []result.Node{
			{Name: "n1", Verdict: "Success", Scores: map[string]int64{"S": 7}, Total: 7},
			{Name: "n2", Verdict: "Unschedulable", Plugin: "Fit", Reasons: []string{"full"}},
		}},
	}}
}

func compare(t *testing.T, text string, s *result.Simulation) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	found, _, err := Compare(path, s)
	if err != nil {
		t.Fatal(err)
	}
	var fields []string
	for _, d := range found {
		fields = append(fields, strings.TrimPrefix(d.Field, "decision log: "))
	}
	return strings.Join(fields, ",")
}

func TestEqualLogsHaveNoDifference(t *testing.T) {
	if got := compare(t, logged, printed()); got != "" {
		t.Errorf("differences: %s", got)
	}
}

func TestEachDifferenceIsFound(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"default/a"`, `"default/b"`, "pod"},
		{`"node":"n1"`, `"node":"n2"`, "node"},
		{`"message":""`, `"message":"x"`, "message"},
		{`["n1","n2"]`, `["n1","n3"]`, "node"},
		{`[0,1]`, `[0,0]`, "verdict"},
		{`"plugin":"Fit"`, `"plugin":"Fat"`, "plugin"},
		{`["full"]`, `["empty"]`, "reasons"},
		{`[7,null]}]`, `[8,null]}]`, "score of S"},
		{`[7,null]}]`, `[null,null]}]`, "number of scores"},
		{`"totals":[7,null]`, `"totals":[8,null]`, "total"},
	} {
		if got := compare(t, strings.Replace(logged, c.old, c.new, 1), printed()); got != c.want {
			t.Errorf("%s instead of %s: differences %q, want %q", c.new, c.old, got, c.want)
		}
	}
}

func TestAnErrorNeedsNoNodes(t *testing.T) {
	s := printed()
	s.Pods[1].Result = result.Error
	const without = `{"pod":"default/a","result":"Error","node":"n1","ties":1,"message":""}`
	if got := compare(t, without, s); got != "" {
		t.Errorf("differences: %s", got)
	}
	if got := compare(t, strings.Replace(without, "Error", "Scheduled", 1), printed()); got != "node,node" {
		t.Errorf("differences: %s", got)
	}
}

func TestEveryAttemptHasADecision(t *testing.T) {
	s := printed()
	s.Pods = append(s.Pods, result.Attempt{Pod: "default/more", Result: result.Scheduled})
	if got := compare(t, logged, s); got != "decision" {
		t.Errorf("differences: %s", got)
	}
	if got := compare(t, logged+"\n"+logged, printed()); got != "decision" {
		t.Errorf("differences: %s", got)
	}
}
