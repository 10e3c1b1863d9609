package cluster

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// gather has the plugin Missorts do this about some pods of the first profile: while an attempt for another pod takes
// 300 ms they come, so that they are in the queue together and have to be put in order.
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

// What a QueueSort plugin does wrong about two pods leaves their order to their priority and age: nobody waits for it.
func TestAFaultOfQueueSortHoldsNobodyUp(t *testing.T) {
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
	// Two attempts or comparisons of 300 ms may come one after the other, and so may three comparisons.
	if longest := m.rest(); longest > calm+1500*time.Millisecond {
		t.Errorf("a pod waited %s, and %s before there was any fault", longest, calm)
	}
	m.tellsOf("Missorts", "active")
	w.prove()
}

// One that fails too often is not asked any more: pods of all profiles go by priority and age.
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

// What takes the process along takes no profile along: it begins anew with PrioritySort in that plugin's place.
func TestItBeginsAnewWithoutItsQueueSort(t *testing.T) {
	for _, does := range []string{"crash", "hang"} {
		t.Run(does, func(t *testing.T) {
			w := newWorld(t, time.Minute)
			m := w.misbehaveAs(misbehaviour{state: filepath.Join(w.dir, "state"), sorted: true})
			time.Sleep(time.Second)
			names := m.gather(does)
			w.says(m.d, `A plugin has ended the scheduler.*Missorts of profile `+w.ns+`, in Less of pod `+w.ns+`/`, 20*time.Second)
			m.ready(m.d, 20*time.Second)
			for _, name := range append(names, "one", "other") {
				if name == "one" {
					w.pod(name)
				} else if name == "other" {
					w.pod(name, scheduler(w.ns+beside))
				}
				w.bound(name, 10*time.Second)
			}
			if longest := m.rest(); longest > 5*time.Second {
				t.Errorf("a pod waited %s", longest)
			}
			m.tellsOf("Missorts", "quarantined", "profile "+w.ns+" does without plugin Missorts",
				"profile "+w.ns+beside+" does without plugin Missorts")
			digest := m.inQuarantine()
			for _, name := range names {
				w.deleteNow(name) // else it would do it again, to the canary
			}
			if out, err := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), "plugin", "pardon", digest, "--state-dir="+m.state).CombinedOutput(); err != nil {
				t.Fatalf("berthctl plugin pardon: %v: %s", err, out)
			}
			w.says(m.d, `New generation of policy in force.*Missorts`, 10*time.Second)
			m.tellsOf("Missorts", "active")
			w.prove()
		})
	}
}
