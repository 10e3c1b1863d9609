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
	events := []Event{named(11, "a", ""), named(12, "a", "n"), named(15, "b", "n"), named(16, "a", "n"), named(22, "c", "n")}
	holdings := []Holding{{10, "one"}, {14, ""}, {20, "two"}}
	authors := map[string]string{"ns/a": "one", "ns/b": "one", "ns/c": "two"}
	wrong := Fenced(events, holdings, func(pod string) string { return authors[pod] })
	if len(wrong) != 1 || !strings.Contains(wrong[0], `revision 15: "one" bound pod ns/b while "" held the Lease`) {
		t.Errorf("Fenced = %q, want the binding of b alone", wrong)
	}
}
