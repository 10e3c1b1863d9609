package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

// The cluster below is small enough to be worked out by hand from the formulas: two nodes of different size and a
// tainted one; a pod that fits (a), one held by its gates (b), one of another scheduler (c), and one (d) too big until
// the step makes n1 bigger.
const handConfig = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
profiles:
- schedulerName: default-scheduler
  plugins:
    multiPoint:
      disabled: [{name: "*"}]
      enabled: [{name: SchedulingGates}, {name: PrioritySort}, {name: NodeUnschedulable}, {name: NodeName}, {name: TaintToleration, weight: 3},
        {name: NodeAffinity, weight: 2}, {name: NodePorts}, {name: NodeResourcesFit}, {name: NodeResourcesBalancedAllocation},
        {name: ImageLocality}, {name: DefaultBinder}]
`

func handNode(name, cpu, rest string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":%q,"uid":"uid-%s","creationTimestamp":"2026-01-01T00:00:00Z"},
"spec":{%s},"status":{"allocatable":{"cpu":%q,"memory":"8Gi","pods":"10"}}}`, name, name, rest, cpu)
}

func handPod(name, scheduler, cpu, rest string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns","name":%q,"uid":"uid-%s","creationTimestamp":"2026-01-01T00:00:00Z"},
"spec":{"schedulerName":%q,"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":%q,"memory":"1Gi"}}}]%s},"status":{"phase":"Pending"}}`,
		name, name, scheduler, cpu, rest)
}

func handList(items ...string) []byte {
	return []byte(`{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + `]}`)
}

func handCase(t *testing.T) *Case {
	t.Helper()
	cfg, err := upstream.DecodeConfig([]byte(handConfig))
	if err != nil {
		t.Fatal(err)
	}
	objs, err := upstream.DecodeManifest(handList(
		handNode("n1", "4", ""), handNode("n2", "2", ""), handNode("n3", "64", `"taints":[{"key":"k","effect":"NoSchedule"}]`),
		handPod("a", "default-scheduler", "1", ""),
		handPod("b", "default-scheduler", "1", `,"schedulingGates":[{"name":"x"},{"name":"y"}]`),
		handPod("c", "other", "1", ""),
		handPod("d", "default-scheduler", "5", "")))
	if err != nil {
		t.Fatal(err)
	}
	step, err := upstream.DecodeManifest(handList(handNode("n1", "8", "")))
	if err != nil {
		t.Fatal(err)
	}
	return &Case{Config: cfg, Objects: objs, Steps: [][]runtime.Object{step}}
}

// handResult: on n1, cpu leaves 75 and memory 87 of 100, so Fit scores 81; the shares 0.25 and 0.125 give the balance
// 93 against 100 before, so BalancedAllocation scores 50 + 43/2 = 71. On n2, 50 and 87 give 68, and 81 against 100
// gives 65. No taint is only preferred: 3 x 100.
const handResult = `{"apiVersion":"berth.dev/v1alpha1","kind":"SimulationResult","pods":[
{"pod":"ns/b","profile":"default-scheduler","result":"Gated","message":"waiting for scheduling gates: [x y]"},
{"pod":"ns/c","profile":"","result":"Unserved"},
{"pod":"ns/a","profile":"default-scheduler","result":"Scheduled","node":"n1","ties":1,"generation":1,"message":"","nominatedNode":"","victims":[],
 "nodes":[
  {"name":"n1","verdict":"Success","plugin":"","reasons":[],"total":452,
   "scores":{"TaintToleration":300,"NodeResourcesFit":81,"NodeResourcesBalancedAllocation":71,"ImageLocality":0}},
  {"name":"n2","verdict":"Success","plugin":"","reasons":[],"total":433,
   "scores":{"TaintToleration":300,"NodeResourcesFit":68,"NodeResourcesBalancedAllocation":65,"ImageLocality":0}},
  {"name":"n3","verdict":"UnschedulableAndUnresolvable","plugin":"TaintToleration","reasons":["node(s) had untolerated taint(s)"]}]},
{"pod":"ns/d","profile":"default-scheduler","result":"Unschedulable","node":"","ties":0,
 "message":"0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.",
 "nodes":[
  {"name":"n1","verdict":"UnschedulableAndUnresolvable","plugin":"NodeResourcesFit","reasons":["Insufficient cpu"]},
  {"name":"n2","verdict":"UnschedulableAndUnresolvable","plugin":"NodeResourcesFit","reasons":["Insufficient cpu"]},
  {"name":"n3","verdict":"UnschedulableAndUnresolvable","plugin":"TaintToleration","reasons":["node(s) had untolerated taint(s)"]}]},
{"pod":"ns/d","profile":"default-scheduler","result":"Scheduled","node":"n1","ties":1,"message":"",
 "nodes":[
  {"name":"n1","verdict":"Success","plugin":"","reasons":[],"scores":{},"total":0},
  {"name":"n2","verdict":"UnschedulableAndUnresolvable","plugin":"NodeResourcesFit","reasons":["Insufficient cpu"]},
  {"name":"n3","verdict":"UnschedulableAndUnresolvable","plugin":"TaintToleration","reasons":["node(s) had untolerated taint(s)"]}]}
]}`

func replayText(t *testing.T, text string) *Report {
	t.Helper()
	ours, err := result.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Replay(handCase(t), ours)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestHandMadeResultIsRight(t *testing.T) {
	upstream.Quiet()
	report := replayText(t, handResult)
	for _, d := range report.Differences {
		t.Error(d)
	}
	want := Stats{Clusters: 1, Attempts: 3, Nodes: 9, Scores: 8, Retries: 1, Gated: 1, Unserved: 1}
	if report.Stats != want {
		t.Errorf("compared %+v, not %+v", report.Stats, want)
	}
}

// TestEveryFieldIsCompared changes one place of the handmade result at a time and requires that exactly that field is
// reported.
func TestEveryFieldIsCompared(t *testing.T) {
	upstream.Quiet()
	cases := []struct {
		name, old, new string
		fields         []string
	}{
		{"pod", `"pod":"ns/a"`, `"pod":"ns/zz"`, []string{"attempt"}},
		{"profile", `"pod":"ns/a","profile":"default-scheduler"`, `"pod":"ns/a","profile":"p"`, []string{"profile"}},
		{"result", `"result":"Unschedulable"`, `"result":"Error"`, []string{"result"}},
		{"choice", `"node":"n1","ties":1,"generation"`, `"node":"n2","ties":1,"generation"`, []string{"node"}},
		{"choice of a rejected node", `"node":"n1","ties":1,"generation"`, `"node":"n3","ties":1,"generation"`, []string{"node"}},
		{"choice of nothing", `"node":"n1","ties":1,"generation"`, `"node":"","ties":1,"generation"`, []string{"node"}},
		{"ties", `"ties":1,"generation"`, `"ties":2,"generation"`, []string{"ties"}},
		{"ties of a failure", `"ties":0`, `"ties":1`, []string{"ties"}},
		{"node of a failure", `"node":"","ties":0`, `"node":"n1","ties":0`, []string{"node"}},
		{"message", `2 Insufficient cpu.`, `2 Insufficient cpu`, []string{"message"}},
		{"message of a success", `"generation":1,"message":""`, `"generation":1,"message":"ok"`, []string{"message"}},
		{"nominated node", `"nominatedNode":""`, `"nominatedNode":"n1"`, []string{"nominatedNode"}},
		{"victims", `"victims":[]`, `"victims":["ns/v"]`, []string{"victims"}},
		{"verdict", `{"name":"n1","verdict":"UnschedulableAndUnresolvable"`, `{"name":"n1","verdict":"Unschedulable"`, []string{"verdict"}},
		{"plugin", `"plugin":"NodeResourcesFit"`, `"plugin":"NodePorts"`, []string{"plugin"}},
		{"reason", `["Insufficient cpu"]`, `["Insufficient memory"]`, []string{"reasons"}},
		{"reasons", `["Insufficient cpu"]`, `["Insufficient cpu","Insufficient memory"]`, []string{"reasons"}},
		{"no reasons", `["Insufficient cpu"]`, `[]`, []string{"reasons"}},
		{"score", `"NodeResourcesFit":81`, `"NodeResourcesFit":82`, []string{"score of NodeResourcesFit"}},
		{"score missing", `,"ImageLocality":0`, ``, []string{"score of ImageLocality"}},
		{"score too many", `"ImageLocality":0`, `"ImageLocality":0,"NodeAffinity":0`, []string{"score of NodeAffinity"}},
		{"score of the only node", `"scores":{},"total":0`, `"scores":{"ImageLocality":0},"total":0`, []string{"score of ImageLocality"}},
		{"total", `"total":433`, `"total":434`, []string{"total"}},
		{"node order", `"name":"n1","verdict":"UnschedulableAndUnresolvable"`, `"name":"n2","verdict":"UnschedulableAndUnresolvable"`, []string{"nodes"}},
		{"gate text", `gates: [x y]`, `gates: [x]`, []string{"gates"}},
		{"gated pod with a node", `"result":"Gated"`, `"result":"Gated","node":"n1"`, []string{"node"}},
		{"gated pod tried", `"result":"Gated","message":"waiting for scheduling gates: [x y]"`, `"result":"Unschedulable"`, []string{"attempt"}},
		{"gated pod unmentioned", `"pod":"ns/b"`, `"pod":"ns/bb"`, []string{"gates", "gates"}},
		{"unserved pod unmentioned", `"pod":"ns/c"`, `"pod":"ns/cc"`, []string{"unserved", "unserved"}},
		{"unserved pod with a node", `"result":"Unserved"`, `"result":"Unserved","node":"n1"`, []string{"node"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(handResult, c.old, c.new, 1)
			if text == handResult {
				t.Fatalf("%q does not occur", c.old)
			}
			var fields []string
			for _, d := range replayText(t, text).Differences {
				fields = append(fields, d.Field)
			}
			if !slices.Equal(fields, c.fields) {
				t.Errorf("reported %q, not %q", fields, c.fields)
			}
		})
	}
}

// TestAttemptsAreAccountedFor leaves out, adds and reorders whole attempts.
func TestAttemptsAreAccountedFor(t *testing.T) {
	upstream.Quiet()
	cases := []struct {
		name, field string
		edit        func(p []result.Attempt) []result.Attempt
	}{
		{"wake-up missed", "attempt", func(p []result.Attempt) []result.Attempt { return p[:4] }},
		{"first attempt missed", "order", func(p []result.Attempt) []result.Attempt { return slices.Delete(p, 2, 3) }},
		{"order", "order", func(p []result.Attempt) []result.Attempt { p[2], p[3] = p[3], p[2]; return p }},
		{"retry without cause", "attempt", func(p []result.Attempt) []result.Attempt { return append(p, p[3]) }},
		{"nothing at all", "attempt", func([]result.Attempt) []result.Attempt { return nil }},
		{"gated never reported", "gates", func(p []result.Attempt) []result.Attempt { return p[1:] }},
		{"gated after it was tried", "gates", func(p []result.Attempt) []result.Attempt {
			return append(p, result.Attempt{Pod: "ns/a", Result: result.Gated, Message: "m"})
		}},
		{"unserved never reported", "unserved", func(p []result.Attempt) []result.Attempt { return slices.Delete(p, 1, 2) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ours, err := result.Parse([]byte(handResult))
			if err != nil {
				t.Fatal(err)
			}
			ours.Pods = c.edit(ours.Pods)
			report, err := Replay(handCase(t), ours)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Differences) == 0 || report.Differences[0].Field != c.field {
				t.Errorf("reported %v, not %s", report.Differences, c.field)
			}
		})
	}
}

func TestReasonsOfExtendedResourcesMayComeInAnyOrder(t *testing.T) {
	fit := "NodeResourcesFit"
	cases := []struct {
		plugin       string
		ours, theirs []string
		same         bool
	}{
		{fit, []string{"Insufficient b", "Insufficient a"}, []string{"Insufficient a", "Insufficient b"}, true},
		{fit, []string{"Insufficient cpu", "b", "a"}, []string{"Insufficient cpu", "a", "b"}, true},
		{fit, []string{"Insufficient memory", "Insufficient cpu"}, []string{"Insufficient cpu", "Insufficient memory"}, false},
		{fit, []string{"a", "Insufficient cpu"}, []string{"Insufficient cpu", "a"}, false},
		{fit, []string{"a", "a"}, []string{"a", "b"}, false},
		{"Other", []string{"b", "a"}, []string{"a", "b"}, false},
		{"Other", nil, []string{}, true},
	}
	for _, c := range cases {
		if got := sameReasons(c.plugin, c.ours, c.theirs); got != c.same {
			t.Errorf("%s: %q and %q: same is %v", c.plugin, c.ours, c.theirs, got)
		}
	}
}
