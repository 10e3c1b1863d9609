package cluster

import (
	"fmt"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// A new profile schedules existing pods. The pods of a removed profile stay pending.
func TestProfilesComeAndGo(t *testing.T) {
	w := newWorld(t, 90*time.Second)
	w.preferences(1)
	guest := w.ns + "-guest"
	alone := w.scored(2, 1)
	both := alone + "- schedulerName: " + guest + "\n"
	s := w.swapping(alone)
	s.pod("early", scheduler(guest))
	s.goes("version-1")
	s.untouched("early")
	line := s.ended(swaplog.Published, func() { s.must(s.d.Configure(both)) })
	s.has("the line", line.Values["changes"], "profile "+guest+": added")
	s.bound("early", soon)

	s.pod("pending", scheduler(guest), selector("is", "nowhere"))
	s.unschedulable("pending", soon)
	line = s.ended(swaplog.Published, func() { s.must(s.d.Configure(alone)) })
	s.has("the line", line.Values["changes"], "profile "+guest+": removed")
	before, err := s.get("pending")
	s.must(err)
	s.label("shape", "is", "nowhere") // a node on which it would fit
	s.goes("version-1")
	time.Sleep(2 * time.Second) // longer than its backoff
	if after, err := s.get("pending"); err != nil || after.Spec.NodeName != "" || after.ResourceVersion != before.ResourceVersion {
		t.Errorf("pod pending was not left alone: %v %+v", err, after)
	}
	s.ended(swaplog.Published, func() { s.must(s.d.Configure(both)) })
	s.bound("pending", 2*soon)
	s.prove()
}

// A generation that fails as soon as it schedules is rolled back automatically, and pods are bound without an operator.
func TestAGenerationThatFailsIsTakenBack(t *testing.T) {
	const pods = 20
	w := newWorld(t, 90*time.Second)
	w.preferences(1)
	s := w.swapping(w.scored(2, 1))
	s.goes("version-1")
	s.ended(swaplog.Published, func() { s.install(s.build("throws")) })
	began := time.Now()
	s.world.pods("failing", pods)
	line := s.after(began, swaplog.RolledBack)
	if line.Generation() != 3 {
		t.Errorf("it is generation %d", line.Generation())
	}
	s.has("the line", line.Values["err"], "PrefersVersion", s.ns)
	if version, _, state, _ := s.effective(); version != "1.0.0" || state != "active" {
		t.Errorf("active is version %s, %s", version, state)
	}
	s.diverges("PrefersVersion")
	for i := range pods {
		if pod := s.bound(fmt.Sprintf("failing-%d", i), 30*time.Second); pod.Spec.NodeName != "version-1" {
			t.Errorf("pod %s is on node %s", pod.Name, pod.Spec.NodeName)
		}
	}
	// The files still contain the failed policy; a new build is published.
	s.ended(swaplog.Unchanged, func() { s.install(s.build("1")) })
	s.diverges()
	s.prove()
}
