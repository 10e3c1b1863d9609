package bench

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func record(commit, build string, ratio float64) *Record {
	return &Record{Date: "2026-11-26", Commit: commit, Build: build, Points: []*Ratio{{Policy: "plain", Nodes: testedNodes, Ratio: ratio, CPURatio: ratio}}}
}

func TestTheLastRatioOfABuildCounts(t *testing.T) {
	h := &History{}
	h.Add(record("a", "release", 100))
	h.Add(record("b", "dev", 40))
	h.Add(record("c", "release", 200))
	for _, c := range []struct {
		build string
		want  float64
	}{{"release", 200}, {"dev", 40}} {
		if r, _ := h.Last(c.build, "plain", testedNodes); r == nil || r.Ratio != c.want {
			t.Errorf("%s: %v, want %v", c.build, r, c.want)
		}
	}
	if r, _ := h.Last("release", "plain", 5000); r != nil {
		t.Errorf("%v, want none for another number of nodes", r)
	}
}

func TestARecordOfTheSameCommitIsReplaced(t *testing.T) {
	h := &History{}
	h.Add(record("a", "release", 100))
	h.Add(record("a", "release", 120))
	if len(h.Records) != 1 || len(h.Records[0].Points) != 1 || h.Records[0].Points[0].Ratio != 120 {
		t.Errorf("%+v", h.Records)
	}
}

func TestAHistoryIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.json")
	empty, err := ReadHistory(path)
	if err != nil || len(empty.Records) != 0 {
		t.Fatal(empty, err)
	}
	empty.Add(record("a", "release", 100))
	if err := empty.Write(path); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHistory(path)
	if err != nil || len(h.Records) != 1 || *h.Records[0].Points[0] != *empty.Records[0].Points[0] {
		t.Error(h, err)
	}
}

func TestARatioBelowHalfFails(t *testing.T) {
	h := &History{}
	h.Add(record("a", "dev", 100))
	for _, c := range []struct {
		name  string
		ratio float64
		fails bool
	}{{"higher", 130, false}, {"noise", 55, false}, {"slower", 49, true}} {
		err := Compare(io.Discard, h, "dev", record("b", "dev", c.ratio).Points)
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if Compare(io.Discard, h, "release", record("b", "release", 100).Points) == nil {
		t.Error("nothing is recorded for the build, and that passed")
	}
}

func TestTheLowerRecordedRatioCounts(t *testing.T) {
	h := &History{Records: []*Record{{Build: "dev", Points: []*Ratio{{Policy: "plain", Nodes: testedNodes, Ratio: 80, CPURatio: 130}}}}}
	for _, c := range []struct {
		byCPU float64
		fails bool
	}{{41, false}, {39, true}} {
		err := Compare(io.Discard, h, "dev", []*Ratio{{Policy: "plain", Nodes: testedNodes, Ratio: 1000, CPURatio: c.byCPU}})
		if (err != nil) != c.fails {
			t.Errorf("%.0f: %v", c.byCPU, err)
		}
	}
}

func TestEverySlowPolicyIsNamed(t *testing.T) {
	h := &History{Records: []*Record{{Build: "dev", Points: []*Ratio{
		{Policy: "plain", Nodes: testedNodes, Ratio: 100, CPURatio: 100}, {Policy: "hetero", Nodes: testedNodes, Ratio: 100, CPURatio: 100}}}}}
	err := Compare(io.Discard, h, "dev", []*Ratio{{Policy: "plain", Nodes: testedNodes, CPURatio: 1}, {Policy: "hetero", Nodes: testedNodes, CPURatio: 2},
		{Policy: "host-anti", Nodes: testedNodes, CPURatio: 3}})
	for _, name := range []string{"plain", "hetero", "host-anti"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want an error that names %s", err, name)
		}
	}
}

func TestOnlyPositiveRatiosAreRecorded(t *testing.T) {
	for _, c := range []struct {
		r     Ratio
		valid bool
	}{{Ratio{Ratio: 1, CPURatio: 1}, true}, {Ratio{Ratio: 0, CPURatio: 1}, false}, {Ratio{Ratio: 1, CPURatio: -1}, false}} {
		if err := (&Record{Points: []*Ratio{&c.r}}).Valid(); (err == nil) != c.valid {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
}

func TestTheTestedPoliciesExist(t *testing.T) {
	for _, tested := range tested() {
		if policy, err := policyOf(tested.name); err != nil || policy.Name != tested.name {
			t.Errorf("%s: %v", tested.name, err)
		}
	}
	if _, err := policyOf("plane"); err == nil {
		t.Error("an unknown name has a policy")
	}
}

func TestThePageHasEveryPoint(t *testing.T) {
	h := &History{}
	h.Add(record("first", "release", 100))
	h.Add(record("second", "release", 250))
	h.Add(record("third", "dev", 40))
	h.Add(&Record{Commit: "fourth", Build: "release", Points: []*Ratio{{Policy: "plain", Nodes: usualNodes, Ratio: 700, Cycle: 900}}})
	var page bytes.Buffer
	if err := h.WritePage(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| plain | 1000 | 250 |", "| plain | 1000 | 40 | 40 | 20 |", "250 (second), 100 (first)", "| plain | 5000 | 700 | 0 | 900 | 600 |"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, page.String())
		}
	}
}
