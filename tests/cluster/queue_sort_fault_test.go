package cluster

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// gather makes the plugin Missorts misbehave for some pods of the first profile. They arrive while an attempt for
// another pod takes 300 ms, so they are in the queue together and must be ordered.
func (m *misbehaving) gather(does string) []string {
	m.t.Helper()
	m.bad(does+"-slow", "late", "filter")
	names := []string{does + "-slow"}
	for i := range 3 {
		name := fmt.Sprintf("%s-%d", does, i)
		m.pod(name, func(p *corev1.Pod) {
			p.Labels = map[string]string{"does": does, "at": "queueSort"}
		})
		names = append(names, name)
	}
	return names
}

// If a QueueSort plugin fails for two pods, priority and age decide their order, and no pod waits because of the fault.
// Two attempts or comparisons of 300 ms may follow each other, and so may three comparisons.
func TestAFaultOfQueueSortHoldsNobodyUp(t *testing.T) {
	holdsNobodyUp(t, 1500*time.Millisecond, inItsWorld(t, faultOfQueueSort))
}

// faultOfQueueSort returns how much longer a pod waits beside faults than without.
func faultOfQueueSort(t *testing.T) time.Duration {
	w := newWorld(t, time.Minute)
	m := w.misbehaveAs(misbehaviour{state: filepath.Join(w.dir, "state"), sorted: true, berth: "faults: {callDeadline: 100ms}\n"})
	time.Sleep(2 * time.Second)
	calm := m.longest()
	for _, one := range []struct{ does, text string }{
		{"throw", "threw in Less: lost my way"},
		{"junk", "answered 77 in Less"},
		{"late", `came back from Less after 0\.[1-9][0-9]*s, later than its deadline of 0\.1s`}, // see faultAtAnyPoint
	} {
		before := m.faults("Missorts", "Less")
		names := m.gather(one.does)
		for _, name := range names {
			w.bound(name, 10*time.Second)
		}
		w.says(m.d, `"Plugin fault" plugin="Missorts" profile="`+w.ns+`" point="Less" pod="`+w.ns+`/.*`+one.text, time.Second)
		if n := m.faults("Missorts", "Less"); n <= before {
			t.Errorf("%s: %d faults are counted in Less, as before", one.does, n)
		}
	}
	longer := m.rest() - calm
	m.tellsOf("Missorts", "active")
	w.prove()
	return longer
}

// The host stops calling a QueueSort plugin that fails too often: priority and age order the pods of all profiles.
func TestAQueueSortThatFailsTooOftenIsNotAsked(t *testing.T) {
	w := newWorld(t, time.Minute)
	m := w.misbehaveAs(misbehaviour{state: filepath.Join(w.dir, "state"), sorted: true, berth: "faults: {quarantineAfter: 2}\n"})
	time.Sleep(time.Second)
	for _, name := range m.gather("throw") {
		w.bound(name, 10*time.Second)
	}
	w.says(m.d, `Plugin quarantined.*Missorts`, 5*time.Second)
	w.says(m.d, `Pods go by priority and age from now on.*Missorts`, 5*time.Second)
	m.rest()
	for i, profile := range []string{w.ns, w.ns + beside} {
		w.pod(fmt.Sprintf("later-%d", i), scheduler(profile))
		w.bound(fmt.Sprintf("later-%d", i), 10*time.Second)
	}
	w.prove()
}

// A QueueSort plugin that ends the process does not disable a profile: the scheduler starts again with PrioritySort
// instead.
func TestItStartsAgainWithoutItsQueueSort(t *testing.T) {
	for _, does := range []string{"crash", "hang"} {
		t.Run(does, func(t *testing.T) {
			w := newWorld(t, time.Minute)
			m := w.misbehaveAs(misbehaviour{state: filepath.Join(w.dir, "state"), sorted: true})
			time.Sleep(time.Second)
			names := m.gather(does)
			w.says(m.d, `A plugin crashed the scheduler.*Missorts of profile `+w.ns+`, in Less of pod `+w.ns+`/`, 20*time.Second)
			m.ready(m.d, 20*time.Second)
			for _, name := range append(names, "one", "other") {
				if name == "one" {
					w.pod(name)
				} else if name == "other" {
					w.pod(name, scheduler(w.ns+beside))
				}
				w.bound(name, 10*time.Second)
			}
			if longest := m.rest(); longest > tooLong {
				t.Errorf("a pod waited %s", longest)
			}
			m.tellsOf("Missorts", "quarantined", "profile "+w.ns+" does without plugin Missorts",
				"profile "+w.ns+beside+" does without plugin Missorts")
			digest := m.inQuarantine()
			for _, name := range names {
				w.deleteNow(name) // otherwise it would crash the canary
			}
			if out, err := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), "plugin", "pardon", digest, "--state-dir="+m.state).CombinedOutput(); err != nil {
				t.Fatalf("berthctl plugin pardon: %v: %s", err, out)
			}
			w.says(m.d, `Published a new policy.*Missorts`, 10*time.Second)
			m.tellsOf("Missorts", "active")
			w.prove()
		})
	}
}
