package history

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestFenced(t *testing.T) {
	named := func(revision int64, name, node string) Event {
		return Event{Revision: revision, Pod: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)},
			Spec:       corev1.PodSpec{NodeName: node},
		}}
	}
	events := []Event{
		named(11, "a", ""), named(12, "a", "n"), named(15, "b", "n"), named(16, "a", "n"), named(22, "c", "n"), named(23, "d", "n"),
	}
	holdings := []Holding{{10, "one"}, {14, ""}, {20, "two"}}
	authors := map[string]string{"ns/a": "one", "ns/b": "one", "ns/c": "two"}
	fence := Fenced(events, holdings, func(pod string) string { return authors[pod] })
	if wrong := fence.Wrong(); len(wrong) != 1 || !strings.Contains(wrong[0], `revision 15: "one" bound pod ns/b while "" held the Lease`) {
		t.Errorf("Wrong = %q, want the binding of b alone", wrong)
	}
	if unknown := fence.Unknown(); len(unknown) != 1 || unknown["two"] != 1 {
		t.Errorf("Unknown = %v, want the binding of d alone", unknown)
	}
}

// A server that was away has requests of the former holder.
func TestFenceKnowsOutages(t *testing.T) {
	var events []Event
	for i, revision := range []int64{12, 15, 25} {
		name := string(rune('a' + i))
		events = append(events, Event{Revision: revision, Pod: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)}, Spec: corev1.PodSpec{NodeName: "n"},
		}})
	}
	for _, c := range []struct {
		outage      Outage
		author      string
		late, wrong int
	}{
		{Outage{13, 20}, "one", 1, 1},   // c comes after the outage
		{Outage{13, 30}, "one", 2, 0},   // both are of the former holder
		{Outage{15, 20}, "one", 0, 2},   // the Lease was lost before the outage
		{Outage{10, 30}, "never", 0, 3}, // an author that never held the Lease
	} {
		f := NewFence([]Holding{{10, "one"}, {14, "two"}}, func(string) string { return c.author }, c.outage)
		for i := range events {
			f.Step(&events[i])
		}
		if f.Late() != c.late || len(f.Wrong()) != c.wrong {
			t.Errorf("%+v: %d late, wrong %q", c, f.Late(), f.Wrong())
		}
	}
}

func TestFenceLimitsWhatIsLate(t *testing.T) {
	f := NewFence([]Holding{{10, "one"}, {14, "two"}}, func(string) string { return "one" }, Outage{13, 1000})
	for i := range mostInFlight + 1 {
		name := types.UID(rune('a' + i))
		f.Step(&Event{Revision: int64(15 + i), Pod: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", UID: name}, Spec: corev1.PodSpec{NodeName: "n"},
		}})
	}
	if f.Late() != mostInFlight || len(f.Wrong()) != 1 {
		t.Errorf("%d late, wrong %q", f.Late(), f.Wrong())
	}
}
