package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every extension point except queueSort, which all profiles share (queue_sort_fault_test.go), in the order in which
// pods reach them.
var points = []string{"preEnqueue", "preFilter", "filter", "postFilter", "preScore", "score", "normalize", "reserve",
	"unreserve", "permit", "preFlight", "preBind", "bind", "postBind"}

// The longest time that a pod may wait after a fault that ends the process, even on a busy machine.
const tooLong = 15 * time.Second

// The names that the log and the metrics use.
var logged = map[string]string{"preEnqueue": "PreEnqueue", "preFilter": "PreFilter", "filter": "Filter", "postFilter": "PostFilter",
	"preScore": "PreScore", "score": "Score", "normalize": "NormalizeScore", "reserve": "Reserve", "unreserve": "Unreserve",
	"permit": "Permit", "preFlight": "PreBindPreFlight", "preBind": "PreBind", "bind": "Bind", "postBind": "PostBind"}

// Faults that fail an attempt, at every point: the scheduler retries the pod, and no other pod waits for more than a
// second longer than without faults on this machine. This holds even if the faults need more time of the scheduling
// thread than there is: a late call takes 300 ms.
func TestAFaultAtAnyPointHoldsNobodyElseUp(t *testing.T) {
	for _, every := range []time.Duration{600 * time.Millisecond, 150 * time.Millisecond} {
		t.Run(every.String(), func(t *testing.T) {
			holdsNobodyUp(t, time.Second, inItsWorld(t, func(t *testing.T) time.Duration { return faultAtAnyPoint(t, every) }))
		})
	}
}

// holdsNobodyUp measures up to three times how much longer pods wait beside what must not hold them up, and fails the test
// if it is always more than limit. A pause of the machine explains one such measurement, and not all of them.
func holdsNobodyUp(t *testing.T, limit time.Duration, measure func(i int) time.Duration) {
	t.Helper()
	for i := range 3 {
		longer := measure(i)
		if longer <= limit || t.Failed() {
			return
		}
		t.Logf("pods wait %s longer, and may wait %s longer", longer, limit)
	}
	t.Errorf("pods always wait more than %s longer", limit)
}

// inItsWorld is a measurement for holdsNobodyUp that makes a world each time.
func inItsWorld(t *testing.T, measure func(t *testing.T) time.Duration) func(i int) time.Duration {
	return func(i int) (longer time.Duration) {
		t.Run(fmt.Sprint(i), func(t *testing.T) { longer = measure(t) })
		return longer
	}
}

// faultAtAnyPoint returns how much longer a pod waits beside faults than without.
func faultAtAnyPoint(t *testing.T, every time.Duration) time.Duration {
	w := newWorld(t, 3*time.Minute)
	m := w.misbehave("faults: {callDeadline: 100ms}\n")
	time.Sleep(2 * time.Second)
	calm := m.longest()
	var names []string
	for _, does := range []string{"throw", "junk", "late"} {
		for _, at := range points {
			name := strings.ToLower(does + "-" + at)
			if at == "postFilter" {
				m.bad(name, does, at, selector("nobody", "has"))
			} else {
				m.bad(name, does, at)
				names = append(names, name)
			}
			time.Sleep(every)
		}
	}
	for _, name := range names {
		w.bound(name, 20*time.Second)
	}
	longer := m.rest() - calm
	for _, at := range points {
		name := strings.ToLower("throw-" + at)
		w.says(m.d, `"Plugin fault" plugin="Misbehaves" profile="`+w.ns+beside+`" point="`+logged[at]+`" pod="`+w.ns+`/`+name+`" .*lost my way`, time.Second)
		if n := m.faults("Misbehaves", logged[at]); n == 0 {
			t.Errorf("no fault is counted in %s", logged[at])
		}
	}
	for _, point := range []string{"PreFilter", "Filter", "PostFilter", "PreScore", "Score", "NormalizeScore", "Reserve", "Permit", "PreBindPreFlight", "PreBind", "Bind"} {
		w.says(m.d, `Misbehaves.*returned status 77 from `+point+`,`, time.Second)
	}
	for _, at := range []string{"preFilter", "filter", "postFilter", "preScore", "score", "normalize", "reserve", "permit"} {
		m.late(at)
	}
	w.prove()
	return longer
}

// Faults that end the process: it starts again without the library, and binds the pods of the other profile again, each
// once. On an idle machine no pod waits for more than five seconds.
func TestTheSchedulerStartsAgain(t *testing.T) {
	for _, one := range []struct{ does, at, point string }{
		{"crash", "filter", "Filter"},
		{"abort", "reserve", "Reserve"},
		{"overflow", "score", "Score"},
		{"crash", "bind", "Bind"},
		{"hang", "filter", "Filter"},
		{"hang", "permit", "Permit"},
		{"hang", "preBind", "PreBind"},
		{"crash", "preEnqueue", "PreEnqueue"},
	} {
		t.Run(one.does+"-"+one.at, func(t *testing.T) {
			w := newWorld(t, time.Minute)
			m := w.misbehave("")
			time.Sleep(time.Second)
			for _, name := range []string{"bad-0", "bad-1", "bad-2", "bad-3"} { // more than there are threads that bind
				m.bad(name, one.does, one.at)
			}
			m.quarantined(one.point)
			time.Sleep(2 * time.Second)
			if longest := m.rest(); longest > tooLong {
				t.Errorf("a pod of the other profile waited %s", longest)
			}
			m.tells("quarantined", "profile "+w.ns+beside+" is not served: plugin Misbehaves", "bad-")
			w.pod("later", scheduler(w.ns+beside))
			w.pod("last")
			w.bound("last", 10*time.Second)
			for _, name := range []string{"bad-0", "later"} {
				if pod, err := w.get(name); err != nil || pod.Spec.NodeName != "" {
					t.Errorf("pod %s of the profile that is not served: %v, node %q", name, err, pod.Spec.NodeName)
				}
			}
			if text, err := os.ReadFile(filepath.Join(m.state, "crashes.log")); err != nil || !strings.Contains(string(text), "Misbehaves") {
				t.Errorf("crashes.log: %v: %s", err, text)
			}
			w.prove()
		})
	}
}

// A pardon needs no restart.
func TestAPluginIsPardoned(t *testing.T) {
	w := newWorld(t, time.Minute)
	m := w.misbehave("")
	m.bad("bad", "crash", "filter")
	digest := m.quarantined("Filter")
	w.deleteNow("bad")
	w.pod("waits", scheduler(w.ns+beside))
	m.rest()
	if out, err := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), "plugin", "pardon", digest, "--state-dir="+m.state).CombinedOutput(); err != nil {
		t.Fatalf("berthctl plugin pardon: %v: %s", err, out)
	}
	w.bound("waits", 10*time.Second)
	m.tells("active")
	w.prove()
}

// A profile continues without a plugin that is marked optional.
func TestAProfileDoesWithoutAnOptionalPlugin(t *testing.T) {
	w := newWorld(t, time.Minute)
	m := w.misbehave("plugins: [{name: Misbehaves, library: Misbehaves.so, optional: true}]\n")
	m.bad("bad", "crash", "filter")
	m.quarantined("Filter")
	w.bound("bad", 10*time.Second)
	m.tells("quarantined", "profile "+w.ns+beside+" does without plugin Misbehaves")
	m.rest()
	w.prove()
}

// The same holds, without a restart, for a plugin that fails too often.
func TestAProfileDoesWithoutAnOptionalPluginThatFails(t *testing.T) {
	w := newWorld(t, time.Minute)
	m := w.misbehave("plugins: [{name: Misbehaves, library: Misbehaves.so, optional: true}]\nfaults: {quarantineAfter: 3}\n")
	for _, name := range []string{"bad-0", "bad-1", "bad-2", "bad-3", "bad-4"} {
		m.bad(name, "throw", "filter")
	}
	w.says(m.d, `Plugin quarantined.*Misbehaves`, 10*time.Second)
	w.says(m.d, `Published a new policy.*Misbehaves: disabled`, 10*time.Second)
	for _, name := range []string{"bad-0", "bad-1", "bad-2", "bad-3", "bad-4"} {
		w.bound(name, 10*time.Second)
	}
	m.tells("quarantined", "does without plugin Misbehaves", "failed 3 times")
	m.rest()
	w.prove()
}
