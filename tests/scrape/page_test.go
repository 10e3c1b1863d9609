package main

import (
	"strings"
	"testing"
)

const text = "text/plain; version=0.0.4; charset=utf-8"

const sound = `# HELP pods_total [ALPHA] Pods.
# TYPE pods_total counter
pods_total{result="ok"} 3
pods_total{result="bad"} 0
# HELP wait_seconds [ALPHA] Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.5"} 1
wait_seconds_bucket{le="+Inf"} 2
wait_seconds_sum 3.5
wait_seconds_count 2
`

func TestASoundPageIsReadByBothParsers(t *testing.T) {
	p, err := parse([]byte(sound), text)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	families, err := withExpfmt([]byte(sound), text)
	if err != nil || len(families) != 2 || len(p.series) != 6 {
		t.Fatalf("%v, %v, %v", families, p.series, err)
	}
	for name, n := range families {
		if p.samplesOf[name] != n {
			t.Errorf("family %s: %d and %d samples", name, p.samplesOf[name], n)
		}
	}
}

func TestAWrongPageIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"a series twice":        {`result="bad"`, `result="ok"`, "there twice"},
		"buckets that decrease": {`"+Inf"} 2`, `"+Inf"} 0`, "not cumulative"},
		"buckets in disorder":   {`le="0.5"} 1`, `le="7"} 1` + "\n" + `wait_seconds_bucket{le="0.5"} 1`, "not in order"},
		"no last bucket":        {`le="+Inf"`, `le="9"`, "not +Inf"},
		"another count":         {"wait_seconds_count 2", "wait_seconds_count 3", "_count is 3"},
		"no sum":                {"wait_seconds_sum 3.5\n", "", "no _sum"},
		"no help":               {"# HELP pods_total [ALPHA] Pods.\n", "", "no help"},
		"no type":               {"# TYPE pods_total counter\n", "", "no type"},
		"no number":             {"} 3\n", "} three\n", "three"},
	} {
		p, err := parse([]byte(strings.Replace(sound, c.old, c.new, 1)), text)
		if err == nil {
			err = p.check()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", name, err, c.want)
		}
	}
}
