package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

const podGroups = "podgroups.scheduling.x-k8s.io"

// ganging is a configuration whose profile has Coscheduling.
func (w *world) ganging() string {
	return w.profile(fast) + `  plugins:
    multiPoint: {enabled: [{name: Coscheduling}]}
    queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: '*'}]}
`
}

func memberOf(group string) podOption {
	return func(p *corev1.Pod) { p.Labels = map[string]string{"scheduling.x-k8s.io/pod-group": group} }
}

// group creates a PodGroup.
func (w *world) group(name string, minMember int) {
	w.t.Helper()
	w.apply(name, fmt.Sprintf(`{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {name: %s}, spec: {minMember: %d}}`, name, minMember))
}

// gang creates a PodGroup, and as many pods as its minMember, named name-0 and so on.
func (w *world) gang(name string, members int, options ...podOption) {
	w.t.Helper()
	w.group(name, members)
	w.pods(name, members, append(options, memberOf(name))...)
}

// halves is n nodes with room for two pods of half a CPU each.
func (w *world) halves(prefix string, n int) { w.nodes(prefix, n, oneCPU) }

// nothingOf fails the test if any pod of the gang has a node.
func (w *world) nothingOf(gang string) {
	w.t.Helper()
	bound, all, err := w.countOf(gang + "-")
	w.must(err)
	if bound > 0 {
		w.t.Errorf("%d of %d pods of gang %s have a node", bound, all, gang)
	}
}

func TestAGangOfFiftyIsBoundWhole(t *testing.T) {
	onlyBerth(t, "Coscheduling")
	w := newWorld(t, time.Minute)
	w.installs("podgroup.yaml", podGroups)
	w.halves("node", 25)
	w.start(w.ganging())
	w.gang("train", 50, cpu("500m"))
	w.whole("train", 50, 30*time.Second)
	w.prove()
}

func TestAGangThatDoesNotFitReservesNothing(t *testing.T) {
	onlyBerth(t, "Coscheduling")
	w := newWorld(t, 3*time.Minute)
	w.installs("podgroup.yaml", podGroups)
	w.halves("node", 20)
	w.start(w.ganging())
	w.gang("train", 50, cpu("500m"))
	w.unschedulable("train-49", 20*time.Second)
	w.pods("single", 40, cpu("500m")) // all of the room
	w.whole("single", 40, 30*time.Second)
	w.nothingOf("train")
	w.halves("late", 24) // 48 places
	time.Sleep(2 * time.Second)
	w.nothingOf("train")
	w.halves("last", 1)
	w.whole("train", 50, 90*time.Second)
	w.prove()
}

func TestTwoGangsCompeteAndOneOfThemIsBoundWhole(t *testing.T) {
	onlyBerth(t, "Coscheduling")
	w := newWorld(t, 3*time.Minute)
	w.installs("podgroup.yaml", podGroups)
	w.halves("node", 20)
	w.start(w.ganging())
	created := make(chan struct{})
	go func() { defer close(created); w.gang("left", 30, cpu("500m")) }()
	w.gang("right", 30, cpu("500m"))
	<-created
	w.atLeast(30, 60*time.Second)
	time.Sleep(2 * time.Second)
	winner, loser := "left", "right"
	if bound, _, err := w.countOf("right-"); err == nil && bound == 30 {
		winner, loser = loser, winner
	}
	w.whole(winner, 30, time.Second)
	w.nothingOf(loser)
	for i := range 30 {
		w.deleteNow(fmt.Sprintf("%s-%d", winner, i))
	}
	w.whole(loser, 30, 90*time.Second)
	w.prove()
}

// The pods of gangs continue to arrive while the library is replaced, and while the policy loses Coscheduling and gets it
// back. Without it, members are ordinary pods.
func TestCoschedulingIsReplacedWhileGangsArrive(t *testing.T) {
	onlyBerth(t, "Coscheduling")
	w := newWorld(t, 4*time.Minute)
	w.installs("podgroup.yaml", podGroups)
	w.nodes("node", 20)
	s := w.coscheduling()
	arriving, stop := context.WithCancel(w.ctx)
	var arrived atomic.Int64
	ended := make(chan struct{})
	go func() { defer close(ended); w.gangs(arriving, 5, &arrived) }()
	content, err := os.ReadFile(s.library)
	w.must(err)
	for i := range 9 {
		time.Sleep(time.Second) // two gangs
		switch i % 3 {
		case 0, 1: // bytes behind the end of an ELF file change its digest, and nothing else
			s.ended(swaplog.Published, func() { s.install(append(content, byte(i))) })
		case 2:
			s.ended(swaplog.Published, func() { s.must(s.d.Configure(w.profile(fast))) })
			s.ended(swaplog.Published, func() { s.must(s.d.Configure(w.ganging())) })
		}
	}
	w.eventually(time.Minute, func() error {
		if n := arrived.Load(); n < 15 {
			return fmt.Errorf("only %d gangs have arrived", n)
		}
		return nil
	})
	stop()
	<-ended
	t.Logf("%d gangs of 5 pods over 12 policy changes", arrived.Load())
	w.atLeast(5*int(arrived.Load()), 90*time.Second)
	w.prove()
}

// coscheduling is a swapper whose library is Coscheduling.
func (w *world) coscheduling() *swapper {
	w.t.Helper()
	built, err := ownPlugins()
	w.must(err)
	directory := filepath.Join(w.dir, "plugins")
	w.must(os.CopyFS(directory, os.DirFS(built)))
	s := &swapper{world: w, library: filepath.Join(directory, "Coscheduling.so")}
	s.d = w.start(w.ganging(), func(o *daemon.Options) { o.Plugins = directory })
	s.log = swaplog.Follow(s.d.Log())
	return s
}

// gangs creates gangs of small pods, at most two in a second, until ctx ends, and counts them.
func (w *world) gangs(ctx context.Context, members int, arrived *atomic.Int64) {
	for ctx.Err() == nil {
		w.gang(fmt.Sprintf("gang%d", arrived.Load()), members, cpu("10m"))
		arrived.Add(1)
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// A scheduler that starts before the CRD exists schedules other pods, says once what is missing, and serves gangs when the
// CRD appears.
func TestAGangIsBoundAfterItsCRDAppears(t *testing.T) {
	onlyBerth(t, "Coscheduling")
	c := anotherPlane(t, "without-crd", controlplane.Options{})
	w := newWorldOn(t, c, 3*time.Minute)
	w.halves("node", 2)
	w.permits(podGroups)
	d := w.start(w.ganging())
	w.pod("single", cpu("10m"))
	w.bound("single", 30*time.Second)
	w.pods("train", 3, cpu("500m"), memberOf("train"))
	w.unschedulable("train-0", 30*time.Second)
	w.must(errIfMany(d.Log(), `"podgroups"`))
	_, err := c.Kubectl(w.ctx, "apply", "-f", filepath.Join(root, "manifests/crds/podgroup.yaml"))
	w.must(err)
	_, err = c.Kubectl(w.ctx, "wait", "--for=condition=Established", "--timeout=30s", "crd/"+podGroups)
	w.must(err)
	w.group("train", 3)
	w.whole("train", 3, 90*time.Second)
	w.prove()
}

// errIfMany is an error unless the log has exactly one warning or error with this text.
func errIfMany(log, text string) error {
	content, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	var found []string
	for line := range strings.Lines(string(content)) {
		if (strings.HasPrefix(line, "W") || strings.HasPrefix(line, "E")) && strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	if len(found) != 1 {
		return fmt.Errorf("the log has %d warnings with %s: %q", len(found), text, found)
	}
	return nil
}
