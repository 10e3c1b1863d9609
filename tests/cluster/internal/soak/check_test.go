package soak

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// noon is when the soak of these tests begins.
var noon = time.Now().Truncate(time.Second)

func logged(t *testing.T, second int, text string) swaplog.Line {
	t.Helper()
	at := noon.Add(time.Duration(second) * time.Second).Format("0102 15:04:05.000000")
	line, ok := swaplog.Parse("I" + at + " 1 a.cc:1] " + text)
	if !ok {
		t.Fatalf("no line: %s", text)
	}
	return line
}

func policyActive(t *testing.T, second, generation int, changes string) swaplog.Line {
	return logged(t, second, fmt.Sprintf(`"%s" generation=%d changes=["%s"] causes=["f"]`, swaplog.Published, generation, changes))
}

func bind(t *testing.T, second int, pod, node string, generation int) swaplog.Line {
	return logged(t, second, fmt.Sprintf(`"%s" pod="ns/%s" node="%s" generation=%d`, swaplog.Bound, pod, node, generation))
}

// sound is a soak without errors: build 1 scheduled plain-0; then build 2 scheduled plain-1; then there was a guest.
func sound(t *testing.T) *record {
	const to2 = "profile ns: plugin PrefersVersion: library /p.so version 2.0.0 sha256 aa, was version 1.0.0 sha256 bb"
	first := policy{version: 1, versionWeight: 2, shapeWeight: 1}
	second := first
	second.version = 2
	third := second
	third.guest = true
	r := &record{
		namespace: "ns", first: first, nodes: map[string]string{"one": "version-1", "two": "version-2", "round": "shape", "small": tight},
		created: map[string]time.Time{"plain-0": noon, "plain-1": noon.Add(10 * time.Second), "guest-0": noon, "tight-0": noon},
		lines: []swaplog.Line{
			bind(t, 1, "plain-0", "one", 1), policyActive(t, 5, 2, to2), bind(t, 11, "plain-1", "two", 2), bind(t, 12, "tight-0", "small", 2),
			policyActive(t, 15, 3, "profile ns-guest: added"), bind(t, 16, "guest-0", "round", 3),
		},
		counters: map[string]float64{`berth_swap_total{result="published"}`: 2},
	}
	r.swaps = []swap{
		{what: "version", wants: swaplog.Published, words: []string{"/p.so"}, then: second, line: r.lines[1]},
		{what: "guest", wants: swaplog.Published, then: third, line: r.lines[4]},
	}
	for pod, node := range map[string]string{"plain-0": "one", "plain-1": "two", "tight-0": "small", "guest-0": "round"} {
		r.events = append(r.events, history.Event{Revision: int64(len(r.events) + 1), Pod: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: pod, UID: types.UID(pod)}, Spec: corev1.PodSpec{NodeName: node}}})
	}
	return r
}

func TestWhatIsWrongIsFound(t *testing.T) {
	move := func(r *record, pod, node string) {
		for i := range r.events {
			if r.events[i].Pod.Name == pod {
				r.events[i].Pod.Spec.NodeName = node
			}
		}
	}
	for name, c := range map[string]struct {
		spoil func(*record)
		want  string
	}{
		"nothing": {func(*record) {}, ""},
		"the version before decided": {func(r *record) {
			r.lines[2] = bind(t, 11, "plain-1", "one", 2)
			move(r, "plain-1", "one")
		}, `class "version-1", generation 2`},
		"a generation before decided": {func(r *record) {
			r.lines[2] = bind(t, 11, "plain-1", "one", 1)
			move(r, "plain-1", "one")
		}, "was made 5s after generation 2 was active, and decided by generation 1"},
		"a guest too early":      {func(r *record) { r.lines[5] = bind(t, 16, "guest-0", "round", 2) }, "no profile for it"},
		"an unknown generation":  {func(r *record) { r.lines[5] = bind(t, 16, "guest-0", "round", 4) }, "generation 4, which the log says nothing of"},
		"another node":           {func(r *record) { move(r, "tight-0", "one") }, `is on node "one"`},
		"a lost line":            {func(r *record) { r.lines = r.lines[:5] }, "pod guest-0 has 0 lines"},
		"two lines":              {func(r *record) { r.lines = append(r.lines, r.lines[0]) }, "pod plain-0 has 2 lines"},
		"a pod that waits":       {func(r *record) { r.created["plain-2"] = noon }, "pod plain-2 never had a node"},
		"nobody's change":        {func(r *record) { r.lines[4] = policyActive(t, 15, 3, "profile ns: disabled") }, "nobody asked for"},
		"a change not told":      {func(r *record) { r.swaps = append(r.swaps, swap{what: "typo", wants: swaplog.Rejected}) }, `wants "Rejected`},
		"another change":         {func(r *record) { r.swaps[0].then.version = 3 }, "wants version 3"},
		"a swap of its own":      {func(r *record) { r.swaps = r.swaps[:1] }, "the log has 2 lines about 1 swaps"},
		"a counter":              {func(r *record) { r.counters[`berth_swap_total{result="refused"}`] = 1 }, "is 1, the log has 0"},
		"went back":              {func(r *record) { r.lines = append(r.lines, logged(t, 17, `"`+swaplog.RolledBack+`" generation=4`)) }, "took a generation back"},
		"the cause is not named": {func(r *record) { r.swaps[0].words = []string{"/q.so"} }, `nothing of "/q.so"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := sound(t)
			c.spoil(r)
			s := r.check()
			all := strings.Join(append(s.Wrong, s.WrongDecisions...), "\n")
			if (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
				t.Errorf("it finds %q, not %q", all, c.want)
			}
		})
	}
}

func TestMemoryIsMeasuredPerGeneration(t *testing.T) {
	m := memory{}
	for g := range uint64(100) {
		m.add(g, 1000+int64(g)*10)
	}
	if slope := m.slope(); slope < 9.99 || slope > 10.01 || m.growth() != 990 {
		t.Errorf("%v bytes per generation, %d in all", slope, m.growth())
	}
}
