package judge

import (
	"fmt"
	"strings"
	"testing"

	"berth.dev/berth/tests/conformance/internal/result"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

const suggestionConfig = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
profiles: [{schedulerName: default-scheduler}]
`

const completeFields = `,"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"`

// completePod is a pod as the API server completes it, so that it can be validated.
func completePod(name, requests, container, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns","name":%q,"uid":"uid-%s","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"a"}},
"spec":{"schedulerName":"default-scheduler","restartPolicy":"Always","dnsPolicy":"ClusterFirst","terminationGracePeriodSeconds":30,"enableServiceLinks":true,"securityContext":{},
"containers":[{"name":"c","image":"i:1","resources":{"requests":{%s}}%s%s}]%s},"status":{"phase":"Pending"}}`, name, name, requests, completeFields, container, spec)
}

const softer = `{"maxSkew":1,"minDomains":9,"topologyKey":"kubernetes.io/hostname","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"a"}}}`

// judged has the judge look at one suggestion for each of three pods that cannot be placed: big needs 5 CPUs and gets at
// most 4, spread needs nine domains and gets one, held needs a port that is in use.
func judged(t *testing.T, pod string, one result.Suggestion) string {
	t.Helper()
	cfg, err := upstream.DecodeConfig([]byte(suggestionConfig))
	if err != nil {
		t.Fatal(err)
	}
	holder := strings.Replace(completePod("holder", `"cpu":"1"`, `,"ports":[{"containerPort":80,"hostPort":80,"protocol":"TCP"}]`, `,"nodeName":"n1"`), "Pending", "Running", 1)
	pods := map[string]string{
		"big":  completePod("big", `"cpu":"5"`, "", ""),
		"soft": completePod("soft", `"cpu":"1"`, "", `,"topologySpreadConstraints":[`+softer+`]`),
		"held": completePod("held", `"cpu":"1"`, `,"ports":[{"containerPort":80,"hostPort":80,"protocol":"TCP"}]`, `,"hostNetwork":true`),
	}
	objs, err := upstream.DecodeManifest(handList(handNode("n1", "5", ""), holder, completePod("peer", `"cpu":"0"`, "", `,"nodeName":"n1"`), pods[pod]))
	if err != nil {
		t.Fatal(err)
	}
	sim, err := upstream.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	for _, obj := range objs {
		if err := sim.Load(obj); err != nil {
			t.Fatal(err)
		}
	}
	p := &player{sim: sim, report: &Report{}}
	if err := p.suggestions([]result.Pending{{Pod: "ns/" + pod, Suggestions: []result.Suggestion{one}}}); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, d := range p.report.Differences {
		found = append(found, d.Upstream)
	}
	return strings.Join(found, "; ")
}

func operation(op, path, value string) result.Operation {
	return result.Operation{Op: op, Path: path, Value: []byte(value)}
}

func TestSuggestionsAreJudged(t *testing.T) {
	const cpu = "/spec/containers/0/resources/requests/cpu"
	const constraint = "/spec/topologySpreadConstraints/0"
	anyway := operation("replace", constraint+"/whenUnsatisfiable", `"ScheduleAnyway"`)
	noPort := result.Operation{Op: "remove", Path: "/spec/containers/0/ports/0/hostPort"}
	for _, c := range []struct {
		name, pod string
		patch     []result.Operation
		nodes     int
		want      string // part of what the judge says; "": nothing
	}{
		{"the least decrease", "big", []result.Operation{operation("replace", cpu, `"4"`)}, 1, ""},
		{"less than needed", "big", []result.Operation{operation("replace", cpu, `"4001m"`)}, 1, "fits on: "},
		{"more than needed", "big", []result.Operation{operation("replace", cpu, `"3"`)}, 1, "cpu \"3001m\" fits on n1"},
		{"another number of nodes", "big", []result.Operation{operation("replace", cpu, `"4"`)}, 2, "1"},
		{"a soft constraint", "soft", []result.Operation{anyway, {Op: "remove", Path: constraint + "/minDomains"}}, 1, ""},
		{"what the API server refuses", "soft", []result.Operation{anyway}, 1, "minDomains"},
		{"neither host network nor host ports", "held", []result.Operation{operation("replace", "/spec/hostNetwork", "false"), noPort}, 1, ""},
		{"what the API server sets again", "held", []result.Operation{noPort}, 1, "the pod that the API server makes of it does not"},
		{"a patch that does not apply", "big", []result.Operation{{Op: "remove", Path: "/spec/nodeSelector"}}, 1, "a patch that applies"},
		{"an empty patch", "big", nil, 1, "a change"},
	} {
		got := judged(t, c.pod, result.Suggestion{Change: "change", Patch: c.patch, Node: "n1", Nodes: c.nodes})
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
