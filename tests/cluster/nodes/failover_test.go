package nodes

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/history"
)

// load creates five pods per second until the caller calls the returned function, which returns the number of pods. The pods may
// not run on the node of the leader, so that a drain does not end them.
func (r *release) load(not string) (stop func() int) {
	ctx, cancel := context.WithCancel(r.ctx)
	count, ended := 0, make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				pod := r.newPod(fmt.Sprintf("load-%d", count), r.ns)
				pod.Spec.NodeSelector = map[string]string{"berth.test/loaded": "yes"}
				if _, err := r.client.CoreV1().Pods(r.ns).Create(r.ctx, pod, metav1.CreateOptions{}); err != nil {
					r.t.Errorf("the load ends: %v", err)
					return
				}
				count++
			}
		}
	}()
	return func() int {
		cancel()
		<-ended
		return count
	}
}

// takeover is how a leader ended and another took over.
type takeover struct {
	ended time.Duration // from the request to end it until its pod was deleted
	next  time.Duration // from the same moment until the first binding by the other replica
	pause time.Duration // the longest time without a binding
}

// takeover ends the leader while pods are created, by a call of end, which returns when the leader's pod is deleted. It checks
// that the container exited successfully and released the Lease, that another replica took over, and that all pods were bound.
func (r *release) takeover(end func(leader corev1.Pod)) takeover {
	r.t.Helper()
	since, err := history.Now(r.ctx, plane.Etcd)
	r.must(err)
	diary := r.watch()
	first := r.leader()
	loaded := controlNode
	if first.Spec.NodeName == loaded {
		loaded = otherNode
	}
	r.kubectl("label", "node", loaded, "berth.test/loaded=yes")
	r.t.Cleanup(func() { r.kubectl("label", "node", loaded, "berth.test/loaded-") })
	stop := r.load(first.Spec.NodeName)
	r.bound(diary, 5)
	end(first)
	r.bound(diary, r.countBound(diary)+5)
	count := stop()
	r.bound(diary, count)

	last := diary.lastOf(first.Name)
	if s := last.Status.ContainerStatuses; len(s) != 1 || s[0].State.Terminated == nil || s[0].State.Terminated.ExitCode != 0 || s[0].RestartCount != 0 {
		r.t.Errorf("the leader's container: %+v", s)
	}
	if second := r.leader(); second.Name == first.Name {
		r.t.Errorf("the leader is %s as before", second.Name)
	}
	asked := diary.when(diary.asked, first.Name)
	t := takeover{ended: diary.when(diary.gone, first.Name).Sub(asked)}
	t.next, t.pause = r.bindings(diary, since, r.successors(since, first.Name), asked, count)
	return t
}

// successors returns the revision from which another replica held the Lease. Until then, the Lease had no holder.
func (r *release) successors(since int64, first string) int64 {
	r.t.Helper()
	holdings, err := history.Holdings(r.ctx, plane.Etcd, r.ns, r.ns, since)
	r.must(err)
	released := false
	for _, h := range holdings {
		switch {
		case h.Holder == "":
			released = true
		case !strings.HasPrefix(h.Holder, first+"_"):
			if !released {
				r.t.Errorf("the leader has not released the Lease: %+v", holdings)
			}
			return h.Revision
		}
	}
	r.t.Fatalf("no replica took the Lease over: %+v", holdings)
	return 0
}

// bindings measures, from the request to end the leader, the time until a pod was bound at a revision after that of the takeover,
// and the longest time without a binding.
func (r *release) bindings(d *diary, since, takeover int64, asked time.Time, count int) (next, pause time.Duration) {
	r.t.Helper()
	events, err := history.Read(r.ctx, plane.Etcd, since)
	r.must(err)
	bound := map[string]bool{}
	for _, e := range events {
		if e.Pod == nil || e.Pod.Namespace != r.ns || e.Pod.Spec.NodeName == "" || bound[e.Pod.Name] {
			continue
		}
		bound[e.Pod.Name] = true
		if e.Revision > takeover && strings.HasPrefix(e.Pod.Name, "load-") {
			next = d.when(d.bound, e.Pod.Name).Sub(asked)
			break
		}
	}
	var last time.Time
	for i := range count {
		at := d.when(d.bound, fmt.Sprintf("load-%d", i))
		if !last.IsZero() {
			pause = max(pause, at.Sub(last))
		}
		last = at
	}
	return next, pause
}

func (r *release) countBound(d *diary) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	count := 0
	for pod := range d.bound {
		if strings.HasPrefix(pod, "load-") {
			count++
		}
	}
	return count
}

// bound waits until n pods of the load have a node.
func (r *release) bound(d *diary, n int) {
	r.t.Helper()
	r.eventually(40*time.Second, func() error {
		if count := r.countBound(d); count < n {
			return fmt.Errorf("%d of %d pods have a node", count, n)
		}
		return nil
	})
}

const grace = 30 * time.Second // terminationGracePeriodSeconds of the chart

// kubectl drain ends the leader by an eviction, which the PodDisruptionBudget permits, and the other replica takes over.
func TestADrainOfTheLeadersNode(t *testing.T) {
	w := newWorld(t, 4*time.Minute)
	r := w.install(10259, "")
	var drained string
	took := r.takeover(func(leader corev1.Pod) {
		drained = leader.Spec.NodeName
		t.Cleanup(func() { w.kubectl("uncordon", drained) })
		t.Logf("kubectl drain: %s", w.kubectl("drain", drained, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=50s"))
	})
	t.Logf("after its eviction: the leader was gone after %s, the next binding came after %s; the longest pause was %s",
		took.ended.Round(time.Millisecond), took.next.Round(time.Millisecond), took.pause.Round(time.Millisecond))
	if took.ended > grace/2 || took.next > 10*time.Second {
		t.Errorf("it took too long")
	}
	r.ready()
	for _, pod := range r.replicas() { // the replacement is ready as well
		if pod.Spec.NodeName == drained {
			t.Errorf("pod %s is on the node that is drained", pod.Name)
		}
	}
	r.oneLeads()
}

// kubectl delete pod ends the leader gracefully.
func TestADeletedLeaderEndsInOrder(t *testing.T) {
	w := newWorld(t, 4*time.Minute)
	r := w.install(10259, "")
	took := r.takeover(func(leader corev1.Pod) { w.kubectl("-n", w.ns, "delete", "pod", leader.Name) })
	t.Logf("after its deletion: the leader was gone after %s, the next binding came after %s; the longest pause was %s",
		took.ended.Round(time.Millisecond), took.next.Round(time.Millisecond), took.pause.Round(time.Millisecond))
	if took.ended > grace/2 || took.next > 10*time.Second {
		t.Errorf("it took too long")
	}
	r.ready()
	r.oneLeads()
}
